import { Link } from 'wouter';
import { Button } from '../design/Button.tsx';
import { signOut } from '../sessions/sign-out.ts';
import { useToken } from '../sessions/token.ts';
import styles from './Header.module.css';
import { Logo } from './Logo.tsx';

export function Header() {
  const signedIn = useToken() !== null;
  return (
    <header className={styles.header}>
      <a className={styles.skip} href="#contenu">
        Aller au contenu
      </a>
      <div className={styles.bar}>
        <Link href="/" className={styles.brand}>
          <Logo />
          Tirelire
        </Link>
        {signedIn && <Button onClick={signOut}>Déconnexion</Button>}
      </div>
    </header>
  );
}
