import { DocumentPage } from './DocumentPage.tsx';
import { articles } from './privacy.ts';

export function PrivacyPage() {
  return (
    <DocumentPage title="Confidentialité" articles={articles}>
      <p>Ce que Tirelire sait de vous, où cela va, combien de temps, et comment le reprendre.</p>
    </DocumentPage>
  );
}
