import { Component, type ReactNode } from 'react';
import { Button } from '../design/Button.tsx';
import { Page } from './Page.tsx';
import styles from './Screen.module.css';

/** A page that could not be fetched or drawn says so, and offers the way out. */
export class Boundary extends Component<{ children: ReactNode }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <Page title="Page indisponible" className={styles.narrow}>
        <h1>Cette page n'a pas pu être affichée</h1>
        <p role="alert">Vérifiez votre connexion, puis réessayez.</p>
        <Button look="primary" onClick={() => location.reload()}>
          Réessayer
        </Button>
      </Page>
    );
  }
}
