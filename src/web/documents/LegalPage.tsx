import { DocumentPage } from './DocumentPage.tsx';
import { articles } from './legal.ts';

export function LegalPage() {
  return <DocumentPage title="Mentions légales" articles={articles} />;
}
