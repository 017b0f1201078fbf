import './design/tokens.css';
import './design/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './application/App.tsx';
import { announceNotice } from './application/notices.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element.');
announceNotice();
createRoot(root).render(<App />);
