import './design/tokens.css';
import './design/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './application/App.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element.');
// Its sentences are fetched by the few who come back from a detour.
if (new URLSearchParams(location.search).has('notice')) {
  import('./application/notices.ts').then(({ announceNotice }) => announceNotice());
}
createRoot(root).render(<App />);
// After everything that this visit needs itself.
addEventListener('load', () => {
  import('./offline/offline.ts').then(
    ({ prepareOffline }) => prepareOffline(),
    () => {},
  );
});
