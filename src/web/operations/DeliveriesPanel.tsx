import type { Operations, Outcomes } from '../../shared/contract/operations.ts';
import { Callout } from '../design/Callout.tsx';
import { Panel, PanelNote } from '../design/Panel.tsx';
import styles from './Operations.module.css';
import { countWords, durationWords, pluralize } from './words.ts';

export function DeliveriesPanel({ operations }: { operations: Operations }) {
  const { deliveries, tests, alerts, lag, overdue, failures } = operations;
  return (
    <Panel title="Envois des dernières 24 heures">
      {overdue > 0 && (
        <Callout variant="failure">
          {`${pluralize(overdue, 'notification')} ${overdue > 1 ? 'attendent' : 'attend'} depuis plus d'une minute d'être ${overdue > 1 ? 'prises' : 'prise'} en charge\u202f: vérifiez que le processus «\u202fworker\u202f» fonctionne.`}
        </Callout>
      )}
      <Figures figures={outcomeFigures(deliveries)} />
      {lag ? (
        <Figures
          figures={[
            ['délai médian', durationWords(lag.medianSeconds)],
            ['au plus, pour 99\u202f% des envois', durationWords(lag.p99Seconds)],
            ['plus long délai', durationWords(lag.worstSeconds)],
            ['en retard', lag.late],
          ]}
        />
      ) : (
        <PanelNote>Aucune notification quotidienne n'a été envoyée.</PanelNote>
      )}
      <PanelNote>
        Messages de test{'\u202f'}: {summary(tests)}.
      </PanelNote>
      <PanelNote>
        Messages d'alerte{'\u202f'}: {summary(alerts)}.
      </PanelNote>
      {failures.length > 0 && (
        <ul className={styles.list} aria-label="Raisons des échecs">
          {failures.map(({ chat, code, sentence, deliveries: count }) => (
            <li key={`${chat} ${code}`}>
              {sentence}
              <p className="note">
                {pluralize(count, 'envoi')}, {chat}, {code}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Of one, and of several. */
const names = {
  delivered: ['envoyé', 'envoyés'],
  pending: ['en cours', 'en cours'],
  failed: ["échec d'envoi", "échecs d'envoi"],
  missed: ['non envoyé', 'non envoyés'],
  uncertain: ['non confirmé', 'non confirmés'],
  cancelled: ['annulé', 'annulés'],
} as const satisfies Record<keyof Outcomes, readonly [one: string, several: string]>;

const outcomes = Object.keys(names) as (keyof Outcomes)[];

function outcomeFigures(counts: Outcomes): [string, number][] {
  return outcomes.map((outcome) => [names[outcome][1], counts[outcome]]);
}

function summary(counts: Outcomes): string {
  const some = outcomes.filter((outcome) => counts[outcome] > 0);
  return (
    some.map((o) => `${countWords(counts[o])} ${names[o][counts[o] > 1 ? 1 : 0]}`).join(', ') ||
    'aucun'
  );
}

/** Numbers under their names. */
function Figures({ figures }: { figures: readonly (readonly [string, string | number])[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt className="note">{name}</dt>
          <dd>{typeof figure === 'number' ? countWords(figure) : figure}</dd>
        </div>
      ))}
    </dl>
  );
}
