import logo from './logo.svg';

/** The same file as the icon of the tab: the browser has it already. */
export function Logo() {
  return <img src={logo} width="32" height="32" alt="" />;
}
