import { DocumentPage } from './DocumentPage.tsx';
import { articles } from './terms.ts';

export function TermsPage() {
  return <DocumentPage title="Conditions Générales d'Utilisation" articles={articles} />;
}
