import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankingErrors } from '../../../src/server/banking/errors.ts';
import { identityErrors } from '../../../src/server/identity/errors.ts';
import { notificationErrors } from '../../../src/server/notifications/errors.ts';
import { httpErrors } from '../../../src/server/platform/http/api-error.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { undocumented } from '../../support/documentation.ts';
import type { Answer } from '../../support/person.ts';

interface Described {
  summary?: string;
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, unknown>;
}

let app: Application;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Described>>;
};
beforeAll(async () => {
  app = await startApplication();
  document = (await app.visitor.get('/openapi.json')).body;
});
afterAll(() => app.close());

test('every call of the specification is described, in words and with its refusals', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      '/api/accounts/login',
      '/api/users',
      '/api/users/me',
      '/api/messengers',
      '/api/messengers/{id}',
      '/api/messengers/slack/{id}',
      '/api/messengers/slack/channels',
      '/api/bridge/accounts',
      '/api/bridge/items/{id}',
      '/api/bridge/items/connect',
      '/api/bridge/items/edit/{id}',
      '/api/bridge/items/pro/confirmation/url',
    ]),
  );
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      expect(operation.summary, `${method} ${path}`).toBeTruthy();
      expect(Object.keys(operation.responses), `${method} ${path}`).toContain('500');
    }
  }
});

test.for([
  ['/api/messengers/slack/events', 'application/json'],
  ['/api/messengers/slack/commands', 'application/x-www-form-urlencoded'],
  ['/api/bridge/webhooks', 'application/json'],
] as const)('the body of %s is described as %s', ([path, type]) => {
  expect(Object.keys(document.paths[path]?.post?.requestBody?.content ?? {})).toEqual([type]);
});

test('people read it as a page that asks nothing of other hosts', async () => {
  const page = await app.visitor.get('/docs/');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain(
    "script-src 'self'; style-src 'self';",
  );
  expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test('an answer that is not as described is found', async () => {
  const login: Answer = {
    method: 'POST',
    path: '/accounts/login',
    status: 200,
    headers: new Headers(),
    body: { token: 'x' },
  };
  expect(undocumented(document, [login])).toEqual([]);
  expect(undocumented(document, [{ ...login, status: 418 }])).toHaveLength(1);
  expect(undocumented(document, [{ ...login, body: { token: 1 } }])).toHaveLength(1);
  expect(undocumented(document, [{ ...login, body: { token: 'x', hash: 'y' } }])).toHaveLength(1);
  expect(undocumented(document, [{ ...login, path: '/secret' }])).toHaveLength(1);
});

test('the four codes of the catalogue are their own message, the others speak French', () => {
  const codes = ['User_Not_Found', 'Wrong_Credentials'] as const;
  const others = ['Account_Password_Invalid', 'Email_Already_Exists'] as const;
  for (const code of [...codes, ...others]) expect(identityErrors[code].message).toBe(code);
  for (const [code, { message }] of Object.entries({
    ...httpErrors,
    ...identityErrors,
    ...bankingErrors,
    ...notificationErrors,
  })) {
    if (message !== code) expect(message).toMatch(/^[A-ZÀ-Ý].* .*[^_]$/);
  }
});

test('a fault of ours tells its request and not its cause', async () => {
  const ana = await app.signUp();
  const { sql } = app.services.database;
  await sql.schema.alterTable('messengers').renameTo('hidden').execute();
  const { status, body } = await ana.get('/users/me');
  await sql.schema.alterTable('hidden').renameTo('messengers').execute();
  expect(status).toBe(500);
  expect(body).toEqual({
    statusCode: 500,
    code: 'Internal_Error',
    message: httpErrors.Internal_Error.message,
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});
