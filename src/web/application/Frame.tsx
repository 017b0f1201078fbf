import { Link } from 'wouter';
import { configuration } from '../api/configuration.ts';
import { useToken } from '../api/token.ts';
import { Button } from '../design/Button.tsx';
import { Icon } from '../design/Icon.tsx';
import { Logo } from '../design/Logo.tsx';
import page from '../design/Page.module.css';
import { Page, skipToContent } from '../design/Page.tsx';
import { signOut } from '../session/sign-out.ts';
import styles from './Frame.module.css';

export function Header() {
  const signedIn = useToken() !== null;
  return (
    <header className={styles.header}>
      {/* biome-ignore lint/a11y/useValidAnchor: it does lead there, and leaves the address alone. */}
      <a className={styles.skip} href="#contenu" onClick={skipToContent}>
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
            <Button variant="text" onClick={signOut}>
              Déconnexion
            </Button>
          </div>
        )}
      </div>
    </header>
  );
}

export function Footer() {
  return (
    <footer className={`note ${styles.footer}`}>
      {configuration.demoUrl && (
        <p>
          Ceci est une démonstration{'\u202f'}: banque et messagerie sont fictives.{' '}
          <a href={configuration.demoUrl}>Avancer l'horloge de la démonstration</a>
        </p>
      )}
      <ul className={styles.links}>
        {links.map(([path, name]) => (
          <li key={path}>
            <Link href={path}>{name}</Link>
          </li>
        ))}
      </ul>
    </footer>
  );
}

const links = [
  ['/cgu', "Conditions Générales d'Utilisation"],
  ['/confidentialite', 'Confidentialité'],
  ['/mentions-legales', 'Mentions légales'],
  ['/accessibilite', 'Accessibilité'],
] as const;

/** Instead of a page that could not be fetched or drawn: says so, and offers to try again. */
export function BrokenPage() {
  return (
    <Page title="Page indisponible" className={page.narrow}>
      <h1>Cette page n'a pas pu être affichée</h1>
      <p role="alert">Vérifiez votre connexion, puis réessayez.</p>
      <Button variant="primary" onClick={() => location.reload()}>
        Réessayer
      </Button>
    </Page>
  );
}
