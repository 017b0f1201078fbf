/** What the screens say of Slack. */
export const add = 'Ajouter à Slack';
export const addAnother = 'Connecter un autre espace Slack';
export const reconnect = 'Reconnecter Slack';

export const kind = 'slack';

export function connecting(search: string): string {
  return search.includes(`-${kind}-`)
    ? 'Connexion de votre espace de travail Slack…'
    : 'Connexion…';
}

export function reconnected(team: string): string {
  return `L'espace de travail Slack ${team} est de nouveau connecté`;
}
