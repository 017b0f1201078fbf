import type { Channel, State, Team } from '../state.ts';

/**
 * Three workspaces and one organisation; the same ids each time, so that a saved choice still fits. The
 * first is the one that a consent proposes: a small one.
 */
export function demoTeams(): Team[] {
  return [
    team('T0FONTAINE', 'Maison Fontaine', 'maison-fontaine', smallTeam('F', 9)),
    team('T0LENOIR', 'Cabinet Lenoir', 'cabinet-lenoir', smallTeam('L', 40)),
    team('T0BONNARD', 'Atelier Bonnard', 'atelier-bonnard', largeTeam()),
    { ...team('E0HORIZON', 'Groupe Horizon', 'groupe-horizon', []), organisation: true },
  ];
}

export function team(id: string, name: string, domain: string, channels: Channel[]): Team {
  return {
    id,
    name,
    domain,
    organisation: false,
    botUserId: `U${id.slice(1)}BOT`,
    botId: `B${id.slice(1)}BOT`,
    installation: null,
    channels: new Map(channels.map((one) => [one.id, one])),
    messages: new Map(),
  };
}

export function channel(id: string, name: string, differences: Partial<Channel> = {}): Channel {
  return {
    id,
    name,
    isPrivate: false,
    isMember: false,
    isArchived: false,
    isExternal: false,
    isReadOnly: false,
    isGeneral: false,
    members: 3,
    created: 1_650_000_000,
    ...differences,
  };
}

function usualChannels(letter: string): Channel[] {
  return [
    channel(`C0${letter}GENERAL0`, 'général', { isGeneral: true, isMember: true, members: 48 }),
    channel(`C0${letter}TRESOR00`, 'trésorerie', { members: 6 }),
    channel(`C0${letter}DIRECT00`, 'direction', { isPrivate: true, members: 4 }),
    channel(`C0${letter}ASSOCI00`, 'associés', { isPrivate: true, isMember: true, members: 3 }),
    channel(`C0${letter}ANNONC00`, 'annonces', { isReadOnly: true, members: 48 }),
    channel(`C0${letter}EXPERT00`, 'expert-comptable', { isExternal: true, members: 5 }),
    channel(`C0${letter}ARCHIV00`, 'ancien-budget', { isArchived: true, members: 0 }),
  ];
}

function smallTeam(letter: string, more: number): Channel[] {
  const names = channelNames(more);
  return [...usualChannels(letter), ...names.map((name, n) => channel(idOf(letter, n), name))];
}

/** 3,000 channels. A run of 450 archived ones makes whole pages that are empty after filtering. */
function largeTeam(): Channel[] {
  const usual = usualChannels('B');
  const names = channelNames(3000 - usual.length);
  return [...usual, ...names.map((name, n) => channel(idOf('B', n), name, kindOf(n)))];
}

/** Channel names a French company could have: subject and place, lower case as Slack writes them. */
function channelNames(count: number): string[] {
  const names: string[] = [];
  for (let round = 1; names.length < count; round += 1) {
    for (const place of places) {
      for (const subject of subjects) {
        names.push(round === 1 ? `${subject}-${place}` : `${subject}-${place}-${round}`);
      }
    }
  }
  return names.slice(0, count);
}

const subjects = `
  achats annonces atelier chantier clients commandes compta contrats devis équipe expéditions
  factures formation fournisseurs impayés inventaire livraisons logistique marketing paie planning
  presse projet qualité réclamations recrutement relances sav sécurité social stocks technique
  trésorerie ventes
`
  .trim()
  .split(/\s+/);

const places = `
  amiens angers annecy avignon bayonne besançon bordeaux brest caen chambéry clermont colmar dijon
  dunkerque grenoble la-rochelle le-havre le-mans lille limoges lorient lyon marseille metz
  montpellier mulhouse nancy nantes nice nîmes orléans paris pau perpignan poitiers quimper reims
  rennes rouen saint-étienne saint-malo strasbourg toulon toulouse tours troyes valence vannes
`
  .trim()
  .split(/\s+/);

function kindOf(n: number): Partial<Channel> {
  const created = 1_650_000_000 + n * 3600;
  const members = 2 + ((n * 7) % 60);
  if (n >= 1190 && n < 1640) return { created, members: 0, isArchived: true };
  return {
    created,
    members,
    isArchived: n % 25 === 7,
    isPrivate: n % 20 === 11,
    isMember: n % 40 === 11,
    isExternal: n % 50 === 13,
    isReadOnly: n % 97 === 5,
  };
}

function idOf(letter: string, n: number): string {
  return `C0${letter}${((n + 1) * 7919).toString(36).toUpperCase().padStart(7, '0')}`;
}

/** For benchmarks: the team that a token of the form `xoxb-<team>-…` names, made when first seen. */
export function openTeam(state: State, token: string): Team | null {
  const id = /^xoxb-(T[A-Z0-9]{2,})-/.exec(token)?.[1];
  if (!id) return null;
  const known = state.teams.get(id);
  const opened = known ?? team(id, `Espace ${id}`, id.toLowerCase(), []);
  if (!known) opened.channels = new OpenChannels();
  opened.installation ??= { token, scope: 'bot' };
  state.teams.set(id, opened);
  if (opened.installation.token === token) state.tokens.set(token, opened);
  return opened;
}

/** Every channel id that looks like one exists, without being stored. */
class OpenChannels extends Map<string, Channel> {
  override get(id: string): Channel | undefined {
    const known = super.get(id);
    if (known || !/^C[A-Z0-9]{8,}$/.test(id)) return known;
    return channel(id, id.toLowerCase());
  }
}
