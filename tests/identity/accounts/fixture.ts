import { vi } from 'vitest';
import { startWorker } from '../../../src/server/app/worker.ts';
import type { Mailer, OutgoingMail } from '../../../src/server/platform/mail/mailer.ts';
import { type Application, startApplication } from '../../support/application.ts';

export interface Fixture extends Application {
  /** Everything that left, oldest first. */
  mails: OutgoingMail[];
  /** Addresses whose mails are not taken. */
  refusing: Set<string>;
  /** The latest mail to this address whose subject says `about`, as soon as it has left. */
  mailTo(address: string, about: string): Promise<OutgoingMail>;
  /** The same, and the token of the link in it. */
  tokenFor(address: string, about: string): Promise<string>;
}

export const confirming = 'Confirmez';
export const resetting = 'nouveau mot de passe';

/** The application with its worker, and a mailer that keeps what it is given. */
export async function openFixture(
  options: Parameters<typeof startApplication>[0] = {},
): Promise<Fixture> {
  const mails: OutgoingMail[] = [];
  const refusing = new Set<string>();
  const send: Mailer['send'] = async (mail) => {
    if (refusing.has(mail.to)) throw new Error(`550 <${mail.to}> unknown`);
    mails.push(mail);
  };
  const app = await startApplication({
    mailer: { send },
    // Of calls at once, how long each of them takes decides which limit it meets.
    costlyPasswords: true,
    ...options,
  });
  const worker = await startWorker(app.services);
  const mailTo: Fixture['mailTo'] = (address, about) =>
    vi.waitFor(
      () => {
        const mail = mails.findLast(({ to, subject }) => to === address && subject.includes(about));
        if (!mail) throw new Error(`no mail about "${about}" to ${address}`);
        return mail;
      },
      { timeout: 15_000, interval: 20 },
    );
  return {
    ...app,
    mails,
    refusing,
    mailTo,
    tokenFor: async (address, about) => tokenIn(await mailTo(address, about)),
    async close() {
      await worker.stop();
      await app.close();
    },
  };
}

function tokenIn({ body }: OutgoingMail): string {
  return /#jeton=([\w-]{43})$/m.exec(body)?.[1] ?? '';
}
