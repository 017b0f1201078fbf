import type { GuardedClient } from '../../../platform/http-client/guarded-client.ts';
import { withoutInstallationCredentials } from '../json-posting.ts';
import type { ChatProvider } from '../port.ts';
import { capacity } from './card.ts';
import { errors, name, reasons, words } from './words.ts';
import { postToWorkflow, workflowLinking } from './workflow.ts';

/** Microsoft Teams by workflows that people make in their channels. `client` knows the hosts. */
export function createTeams(client: GuardedClient): ChatProvider {
  return {
    ...{ name, errors, words, reasons, capacity },
    linkings: [workflowLinking(client)],
    channels: 'one',
    drawing: 'two-columns',
    codes: { removed: 'flow_gone', limited: 'limited' },
    // There is no id, and no way to ask what became of a run: a repeat makes a second card.
    repeat: 'never',
    // A connection posts 25 cards in five minutes, shared by all workflows of one person.
    pace: { channelGapMs: 1000, perTeam: 1, perSecond: null },
    ...withoutInstallationCredentials(
      "Chaque personne colle l'adresse de son flux\u202f; rien à régler ici.",
    ),
    post: (secret, message) => postToWorkflow(client, secret, message),
  };
}
