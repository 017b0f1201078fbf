import { type Static, Type } from 'typebox';
import { Alert } from './alerts.ts';
import { BankAccount, BankItem, DailyBalance } from './banks.ts';
import { Delivery } from './deliveries.ts';
import { Messenger } from './messengers.ts';
import { OpenSession } from './sessions.ts';
import { Nullable } from './shapes.ts';
import { Moment, MomentOrNull } from './texts.ts';
import { User } from './users.ts';

const Id = Type.Object({ id: Type.Integer() });

const ExportedWorkspace = Type.Object({
  teamId: Type.String(),
  teamName: Type.String(),
  scope: Type.String(),
  state: Type.String(),
  createDate: Moment,
  updateDate: Moment,
});
export type ExportedWorkspace = Static<typeof ExportedWorkspace>;

const ExportedMailbox = Type.Object({
  address: Type.String(),
  /** What its owner said: asked, confirmed or refused. */
  state: Type.String(),
  createDate: Moment,
  updateDate: Moment,
});
export type ExportedMailbox = Static<typeof ExportedMailbox>;

/** A bank source that the user is linked with, without what opens it. */
const ExportedSource = Type.Object({
  source: Type.String(),
  /** The source's own id of the user; null for one that keeps none. */
  userId: Nullable(Type.String()),
  createDate: Moment,
});
export type ExportedSource = Static<typeof ExportedSource>;

/** A folder of the server whose statements go to an account of the user. */
const ExportedFolder = Type.Object({
  name: Type.String(),
  bankName: Type.String(),
  accountName: Type.String(),
  createDate: Moment,
  readDate: MomentOrNull,
  refusalDate: MomentOrNull,
  refusal: Nullable(Type.String()),
  /** The last file that was read or refused and could not be moved aside; null once it was. */
  leftDate: MomentOrNull,
  leftFile: Nullable(Type.String()),
});
export type ExportedFolder = Static<typeof ExportedFolder>;

const ExportedAccount = Type.Object({
  ...Type.Omit(BankAccount, ['status', 'state', 'notice']).properties,
  /** Since when the bank no longer lists it. */
  goneDate: MomentOrNull,
});
export type ExportedAccount = Static<typeof ExportedAccount>;

const ExportedMail = Type.Object({
  to: Type.String(),
  subject: Type.String(),
  /** Without its link, which opens something. */
  body: Type.String(),
  createDate: Moment,
  sentDate: MomentOrNull,
});
export type ExportedMail = Static<typeof ExportedMail>;

const ExportedBalance = Type.Object({ account: Id, ...DailyBalance.properties });
export type ExportedBalance = Static<typeof ExportedBalance>;

const ExportedDelivery = Type.Object({
  messenger: Type.Object({ id: Type.String() }),
  ...Delivery.properties,
  /** The balances that the message spoke of. */
  figures: Type.Array(
    Type.Object({ account: Id, balance: Type.Number(), currency_code: Type.String() }),
  ),
});
export type ExportedDelivery = Static<typeof ExportedDelivery>;

const ExportedAlert = Type.Object({
  messenger: Type.Object({ id: Type.String() }),
  ...Type.Omit(Alert, ['readEveryMinutes']).properties,
  /** What it told in the last days, or holds for the summary of the morning. */
  crossings: Type.Array(
    Type.Object({
      date: Moment,
      balance: Type.Number(),
      /** The movement; null for a balance that fell under the amount. */
      change: Nullable(Type.Number()),
      currency_code: Type.String(),
    }),
  ),
});
export type ExportedAlert = Static<typeof ExportedAlert>;

/** All that is kept about a user, in the order of the file, without anything that opens something. */
export const DataExport = Type.Object({
  exportDate: Moment,
  user: Type.Object({
    ...User.properties,
    createDate: Moment,
    termsDate: Moment,
    emailConfirmedDate: MomentOrNull,
    secondFactorDate: MomentOrNull,
  }),
  sessions: Type.Array(Type.Omit(OpenSession, ['id', 'current'])),
  workspaces: Type.Array(ExportedWorkspace),
  mailboxes: Type.Array(ExportedMailbox),
  messengers: Type.Array(Type.Omit(Messenger, ['slackBotToken'])),
  alerts: Type.Array(ExportedAlert),
  sources: Type.Array(ExportedSource),
  statementFolders: Type.Array(ExportedFolder),
  items: Type.Array(BankItem),
  accounts: Type.Array(ExportedAccount),
  mails: Type.Array(ExportedMail),
  balances: Type.Array(ExportedBalance),
  deliveries: Type.Array(ExportedDelivery),
});
export type DataExport = Static<typeof DataExport>;
