import { pageFiles } from './bench/page-files.ts';

const login = pageFiles('/login');
const home = pageFiles('/');

// Brotli, as served.
export default [
  { name: 'JavaScript of /login', path: login.scripts, limit: '68 KiB' },
  { name: 'JavaScript of /', path: home.scripts, limit: '85 KiB' },
  { name: 'CSS of /login', path: login.styles, limit: '5 KiB' },
  { name: 'CSS of /', path: home.styles, limit: '5 KiB' },
];
