import { Link } from 'wouter';
import { Button } from '../design/Button.tsx';
import { Icon } from '../design/Icon.tsx';
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
        {signedIn && (
          <div className={styles.session}>
            <Link href="/profil" className={styles.account}>
              <Icon name="person" />
              <span>Mon compte</span>
            </Link>
            <Button onClick={signOut}>Déconnexion</Button>
          </div>
        )}
      </div>
    </header>
  );
}
