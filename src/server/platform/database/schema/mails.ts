import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

export interface MailTables {
  mails: MailTable;
  operator_mails: OperatorMailTable;
}

interface MailTable extends Letter {
  user_id: string;
  id: string;
  /** One mail per user, cause and day. */
  cause: string;
  day: string;
  /** What stands for `[lien]` in the body, sealed for this row; null once sent. */
  sealed_link: TextOrNull;
}

/** What was told to an address of OPERATOR_EMAILS: once per cause and day. */
interface OperatorMailTable extends Letter {
  cause: string;
  day: string;
}

interface Letter {
  recipient: string;
  subject: string;
  body: string;
  created_at: Moment;
  sent_at: MomentOrNull;
  failure: TextOrNull;
}
