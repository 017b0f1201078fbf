import { Link } from 'wouter';
import { configuration } from './configuration.ts';
import styles from './Footer.module.css';

export function Footer() {
  return (
    <footer className={styles.footer}>
      {configuration.demoUrl && (
        <p>
          Ceci est une démonstration{'\u202f'}: banque et messagerie sont fictives.{' '}
          <a href={configuration.demoUrl}>Page de la démonstration</a>
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
