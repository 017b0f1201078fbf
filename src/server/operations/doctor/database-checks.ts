import { sql } from 'kysely';
import { dayMs } from '../../../shared/calendar/durations.ts';
import { maxClockSkewMs } from '../../platform/clock.ts';
import { clockSkewMs } from '../../platform/database/clock-skew.ts';
import { schemaAge } from '../../platform/database/migrate.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import { refusesWrites } from '../../platform/database/read-only.ts';
import { countSealed } from '../../platform/vault/sealed-columns.ts';
import { isUnfinished, unfinishedRemedy, unfinishedWords } from '../backup/unfinished.ts';
import type { TaskDeps } from '../commands/task.ts';
import { countOverdue } from '../operator-page/deliveries.ts';
import { countRefusedMails } from '../operator-page/problems.ts';
import { sealedColumns } from '../sealed-columns.ts';
import { type Finding, fault, pluralized, warning, well } from './finding.ts';
import { checkStatementFolders } from './statement-folders.ts';

/** The checks that need the database. Each finding is a line of JSON. */
export async function* checkDatabase(deps: TaskDeps): AsyncGenerator<string> {
  for await (const finding of checks(deps)) yield `${JSON.stringify(finding)}\n`;
}

async function* checks(deps: TaskDeps): AsyncGenerator<Finding> {
  const { database, clock } = deps;
  yield await checkServer(database);
  yield await checkClock(deps);
  const age = await schemaAge(database);
  if (age === 'later') {
    const words = "Son schéma est celui d'une version plus récente.";
    const remedy = "Démarrez cette version-là, ou restaurez une sauvegarde d'avant.";
    yield fault('Base de données', words, remedy);
    return;
  }
  if (age === 'earlier') {
    const remedy = 'Démarrez cette version : elle met la base à jour.';
    yield warning('Base de données', "Son schéma n'est pas celui de cette version.", remedy);
    return;
  }
  if (await isUnfinished(database)) {
    yield fault('Base de données', unfinishedWords, unfinishedRemedy);
    return;
  }
  yield await checkKeys(deps);
  const overdue = await countOverdue(database, clock.now());
  yield overdue === 0
    ? well('Envois', 'Aucun envoi en retard.')
    : fault(
        'Envois',
        `${pluralized(overdue, 'notification aurait', 'notifications auraient')} dû partir il y a plus d'une minute.`,
        'Démarrez un processus worker (ROLE=all ou worker), ou lisez le journal de celui qui tourne.',
      );
  yield* await checkBankUsers(deps);
  yield* await checkBalanceCommand(deps);
  yield* await checkStatementFolders(deps);
  yield await checkMails(deps);
  yield await checkDeletions(deps);
}

async function checkServer(opened: OpenDatabase): Promise<Finding> {
  const about = 'Base de données';
  const { rows } = await sql<{ version: string; is_replica: boolean }>`
    select current_setting('server_version') as version, pg_is_in_recovery() as is_replica`.execute(
    opened.sql,
  );
  const { version = '?', is_replica: isReplica = false } = rows[0] ?? {};
  if (opened.engine === 'embedded') return well(about, `Intégrée (PostgreSQL ${version}).`);
  if (Number.parseInt(version, 10) < 15) {
    return fault(about, `PostgreSQL ${version} est trop ancien.`, 'Il faut la version 15.');
  }
  if (!(await refusesWrites(opened))) return well(about, `PostgreSQL ${version} répond.`);
  const words = `PostgreSQL ${version} répond, mais il est en lecture seule : aucun message ne part et rien ne peut être enregistré.`;
  const remedy = isReplica
    ? "C'est un serveur de secours : donnez dans DATABASE_URL l'adresse du serveur principal, ou promouvez celui-ci."
    : "Remettez default_transaction_read_only à off pour ce serveur, cette base et ce compte ou, si c'est un ancien serveur principal, donnez dans DATABASE_URL l'adresse du nouveau.";
  return fault(about, words, remedy);
}

/** The worker asks the same before it sends what is due. */
async function checkClock({ database, clock }: TaskDeps): Promise<Finding> {
  const skew = (await clockSkewMs(database, clock)) / 1000;
  if (skew < 2) return well('Horloge', 'La base et cette machine ont la même heure.');
  const remedy = 'Activez NTP sur les deux machines (timedatectl set-ntp true).';
  const difference = `La base et cette machine ont ${skew.toFixed(0)} s d'écart.`;
  const isFar = skew * 1000 > maxClockSkewMs;
  const words = isFar
    ? `${difference} Aucun message ne part avant que leurs horloges soient réglées.`
    : difference;
  return skew < 30 ? warning('Horloge', words, remedy) : fault('Horloge', words, remedy);
}

async function checkKeys(deps: TaskDeps): Promise<Finding> {
  const { current, older, unreadable } = await countSealed(deps, sealedColumns);
  if (unreadable > 0) {
    return fault(
      'Clé',
      `${pluralized(unreadable, 'valeur chiffrée est illisible', 'valeurs chiffrées sont illisibles')} avec les clés d'APP_SECRET.`,
      "Ajoutez l'ancienne clé derrière la nouvelle (APP_SECRET=nouvelle,ancienne). Si elle est perdue, des messageries ou des banques sont à relier de nouveau.",
    );
  }
  return older > 0
    ? warning(
        'Clé',
        `${pluralized(older, 'valeur est encore chiffrée', 'valeurs sont encore chiffrées')} avec une ancienne clé.`,
        'Lancez : npm run rotate-secret',
      )
    : well('Clé', `Valeurs chiffrées, toutes lisibles : ${current}.`);
}

/** Users whom a bank service does not know any more; with the credentials of another application, all. */
async function checkBankUsers({ database, configuration }: TaskDeps): Promise<Finding[]> {
  const { rows } = await sql<{ source: string; unknown: number; is_known: boolean }>`
    select source, count(unknown_since)::int as unknown,
      coalesce(max(refreshed_at) filter (where unknown_since is null) > min(unknown_since), false)
        as is_known
    from bank_refreshes group by source having count(unknown_since) > 0`.execute(database.sql);
  return configuration.bankSources.flatMap(({ kind, name, credentials }) => {
    const found = rows.find(({ source }) => source === kind);
    if (!found) return [];
    const users = pluralized(found.unknown, 'utilisateur', 'utilisateurs');
    return found.is_known
      ? warning(
          name,
          `Ne connaît plus ${users} : les données sont effacées par la première lecture qui le confirme une heure plus tard.`,
          `Si cela vous étonne, vérifiez ${credentials?.join(' et ')}, et si ces utilisateurs existent chez ${name}.`,
        )
      : fault(
          name,
          `Ne connaît aucun des utilisateurs lus (${found.unknown}) : nos identifiants sont peut-être ceux d'une autre application. Rien n'est effacé.`,
          `Vérifiez ${credentials?.join(' et ')}. Une personne qui n'existe vraiment plus chez ${name} supprime ses banques ici, puis les relie de nouveau.`,
        );
  });
}

/** Links of before a chat had the command stay without it until they are made again. */
async function checkBalanceCommand({ database, configuration }: TaskDeps): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { kind, name, commandScope: scope } of configuration.chats) {
    if (!scope) continue;
    const { rows } = await sql<{ without: number }>`
      select count(*)::int as without from destinations where chat = ${kind} and state = 'connected'
        and not ${scope} = any(string_to_array(scope, ','))`.execute(database.sql);
    const without = rows[0]?.without ?? 0;
    if (without === 0) continue;
    const words = `Dans ${pluralized(without, 'espace relié', 'espaces reliés')} avant l'ajout de la commande, elle ne répond pas ; les messages partent comme avant.`;
    found.push(warning(name, words, 'Demandez à ces personnes de reconnecter leur messagerie.'));
  }
  return found;
}

async function checkMails({ database, clock }: TaskDeps): Promise<Finding> {
  const refused = await countRefusedMails(database, clock.now());
  return refused === 0
    ? well('Emails', 'Aucun email refusé.')
    : warning(
        'Emails',
        `Le serveur de courrier a refusé ${pluralized(refused, 'email', 'emails')}.`,
        "Vérifiez SMTP_URL et MAIL_FROM ; la page d'administration montre sa réponse.",
      );
}

/** Deletions are retried: one that takes longer than a day is refused by a service. */
async function checkDeletions({
  database,
  clock,
  configuration: { bankSources, chats },
}: TaskDeps): Promise<Finding> {
  const services = [...bankSources, ...chats].map(({ name }) => name).join(' ou ');
  const { unfinished } = await database.sql
    .selectFrom('deletions')
    .select(({ fn }) => fn.countAll<number>().as('unfinished'))
    .where(({ or, eb }) =>
      or([
        eb('data_done_at', 'is', null),
        eb('bank_done_at', 'is', null),
        eb('chat_done_at', 'is', null),
      ]),
    )
    .where('requested_at', '<', new Date(clock.now().getTime() - dayMs))
    .executeTakeFirstOrThrow();
  return unfinished === 0
    ? well('Suppressions', 'Aucune suppression de compte en retard.')
    : warning(
        'Suppressions',
        `${pluralized(unfinished, 'suppression de compte attend', 'suppressions de compte attendent')} depuis plus d'un jour.`,
        `Dans le journal, « a deletion is not done yet » donne ce que ${services} a répondu.`,
      );
}
