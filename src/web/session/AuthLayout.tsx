import type { ReactNode } from 'react';
import { Logo } from '../design/Logo.tsx';
import styles from './AuthLayout.module.css';

/** The form that leads into the application, and beside it what the application does. */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className={`stack ${styles.layout}`}>
      {children}
      <aside aria-labelledby="promesse" className={styles.promise}>
        <h2 id="promesse">Vos soldes bancaires, chaque matin dans votre messagerie.</h2>
        <figure className={`surface ${styles.example}`}>
          <figcaption className="note">Exemple</figcaption>
          <Logo />
          <div>
            <p>
              <b>Tirelire</b> <time className="note">09:00</time>
            </p>
            <p>Bonjour, voici le point du jour.</p>
            <dl>
              {lines.map(([account, amount]) => (
                <div key={account}>
                  <dt>{account}</dt>
                  <dd>{amount}</dd>
                </div>
              ))}
            </dl>
            <p className="note">Soldes d'aujourd'hui, 08:40</p>
          </div>
        </figure>
        <ul>
          <li>Chaque montant porte sa date.</li>
          <li>Le message part à l'heure choisie, une seule fois.</li>
          <li>En cas de problème, Tirelire vous dit quoi faire.</li>
        </ul>
      </aside>
    </div>
  );
}

const lines = [
  ['Compte courant', '15\u202f127,39\u00a0€'],
  ['Compte joint', '4\u202f295,24\u00a0€'],
  ['Total', '19\u202f422,63\u00a0€'],
] as const;
