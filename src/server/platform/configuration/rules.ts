import type { VariableName, Variables } from './variables.ts';

/**
 * `start` leaves a provider without credentials to the demonstration; `serve` is production, where
 * they must be there.
 */
export type Purpose = 'start' | 'serve';

/** What several variables say together that none says alone, as French sentences. */
export function combinationFaults(values: Variables, purpose: Purpose): string[] {
  return [
    ...databaseFaults(values),
    ...pairFaults(values, 'BRIDGE_CLIENT_ID', 'BRIDGE_CLIENT_SECRET'),
    ...pairFaults(values, 'SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'),
    ...pairFaults(values, 'SMTP_URL', 'MAIL_FROM'),
    ...(purpose === 'serve' ? productionFaults(values) : demonstrationFaults(values)),
  ];
}

function databaseFaults(values: Variables): string[] {
  const faults: string[] = [];
  const { ROLE, DATABASE_URL, APP_SECRET } = values;
  if ((ROLE === 'web' || ROLE === 'worker') && !DATABASE_URL) {
    faults.push(
      `DATABASE_URL manque : ROLE=${ROLE} partage son travail avec d’autres processus, ce que la base intégrée ne permet pas.`,
    );
  }
  if (DATABASE_URL && !APP_SECRET) {
    faults.push(
      'APP_SECRET manque : avec DATABASE_URL, toutes les machines doivent recevoir le même secret.',
    );
  }
  return faults;
}

function pairFaults(values: Variables, first: VariableName, second: VariableName): string[] {
  if (Boolean(values[first]) === Boolean(values[second])) return [];
  const [given, missing] = values[first] ? [first, second] : [second, first];
  return [`${missing} manque : ${given} est renseigné et ne suffit pas.`];
}

function productionFaults(values: Variables): string[] {
  return (['BRIDGE', 'SLACK'] as const)
    .filter((name) => !values[`${name}_CLIENT_ID`] && !values[`${name}_CLIENT_SECRET`])
    .map(
      (name) =>
        `${name}_CLIENT_ID et ${name}_CLIENT_SECRET manquent : « npm run serve » n’a pas de démonstration (« npm start » en a une).`,
    );
}

/** Real balances must not land on a demonstration page by oversight. */
function demonstrationFaults(values: Variables): string[] {
  const bank = Boolean(values.BRIDGE_CLIENT_ID);
  const chat = Boolean(values.SLACK_CLIENT_ID);
  if (bank === chat || values.DEMO === '1' || values.DEMO === 'true') return [];
  const missing = bank ? 'SLACK' : 'BRIDGE';
  return [
    `${missing}_CLIENT_ID et ${missing}_CLIENT_SECRET manquent : une partie réelle et une partie de démonstration ne vont ensemble qu’avec DEMO=1.`,
  ];
}
