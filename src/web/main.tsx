import './design/tokens.css';
import './design/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './application/App.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element.');
// As a transition, it is drawn in slices: a slow phone answers to presses between them.
startTransition(() =>
  createRoot(root).render(
    // Checks of development alone: a build for people leaves them out.
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
// After everything that this visit needs itself.
addEventListener('load', () => {
  import('./application/offline/offline.ts').then(
    ({ prepareOffline }) => prepareOffline(),
    () => {},
  );
});
