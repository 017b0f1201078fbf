import { publicUrlOf } from '../../../platform/configuration/configuration.ts';
import type { ChatDefinition } from '../definition.ts';
import type { ChatDeps } from '../port.ts';
import { createEmail } from './adapter.ts';
import type { EmailConfiguration } from './post.ts';
import { name } from './words.ts';

/** Opened by the mail server of the installation, which the product's own mails use too. */
export const email: ChatDefinition<'email'> = {
  kind: 'email',
  variables: {},
  credentials: null,
  neededVariables: ['SMTP_URL', 'MAIL_FROM'],
  configure(values) {
    const { SMTP_URL: smtpUrl, MAIL_FROM: from } = values;
    return smtpUrl && from
      ? configuredEmail({ smtpUrl, from, publicUrl: publicUrlOf(values) })
      : null;
  },
};

export function configuredEmail(configuration: EmailConfiguration) {
  return {
    ...{ kind: 'email' as const, name, apiUrl: null, isReal: true, credentials: null },
    ...{ settings: configuration, warnings: [] },
    open: (deps: ChatDeps) => createEmail(configuration, deps),
  };
}
