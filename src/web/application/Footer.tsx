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
      <p>
        <Link href="/cgu">Conditions Générales d'Utilisation</Link>
      </p>
    </footer>
  );
}
