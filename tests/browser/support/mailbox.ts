import { expect } from '@playwright/test';
import type { Demonstration } from './demonstration.ts';

interface Mail {
  to: string;
  subject: string;
  body: string;
}

/** The mails that an address received, newest first. */
export async function mailsTo({ pageUrl }: Demonstration, address: string): Promise<Mail[]> {
  const response = await fetch(`${pageUrl}/_control/mails`);
  const mails = (await response.json()) as Mail[];
  return mails.filter(({ to }) => to === address);
}

/** The newest link to a page of the application that an address received, once it is there. */
export async function linkTo(demo: Demonstration, address: string, path: string): Promise<string> {
  const link = new RegExp(`${demo.url}${path}#\\S+`);
  let found = '';
  await expect(async () => {
    const mails = await mailsTo(demo, address);
    found = mails.map(({ body }) => link.exec(body)?.[0] ?? '').find(Boolean) ?? '';
    expect(found, `a link to ${path}`).not.toBe('');
  }).toPass({ intervals: [100] });
  return found;
}
