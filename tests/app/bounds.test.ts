import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Messenger } from '../../src/shared/contract/messengers.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { engines } from '../support/engines.ts';
import type { Answer, Person } from '../support/person.ts';
import { connectSlack } from '../support/slack.ts';

const team = 'T0FONTAINE';

/** What one account may make, so that it takes no more than its share of the server. */
describe.each(engines)('one account, on %s,', (engine) => {
  let app: Application;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  afterAll(() => app.close());

  const database = () => app.services.database.sql;

  /** What an account may have from before there was a limit. */
  async function insertMessengers(person: Person, count: number): Promise<void> {
    const { id } = await connectSlack(app, person, team);
    await sql`insert into messengers (user_id, id, destination_id, slot_id, message, hours, minutes,
        zone, active_since, created_at, updated_at)
      select user_id, gen_random_uuid(), destination_id, slot_id, ${'é'.repeat(3000)}, hours, minutes, zone,
        active_since, created_at + number * interval '1 ms', updated_at
      from messengers, generate_series(1, ${count - 1}::int) number
      where user_id = ${person.id} and id = ${id}`.execute(database());
  }

  const refusalOf = ({ status, body: { code, message } }: Answer) => ({ status, code, message });

  const tooMany = {
    status: 409,
    code: 'Too_Many_Messengers',
    message:
      "Vous avez déjà 100 notifications, c'est le maximum. Supprimez-en une pour en ajouter une autre.",
  };

  it('has a hundred notifications at most, also when it asks for ten at once', async () => {
    const ana = await app.signUp();
    await insertMessengers(ana, 95);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ana.post('/messengers')));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(refusalOf)).toEqual(Array.from({ length: 5 }, () => tooMany));
    const { messengers } = (await ana.get('/users/me')).body;
    expect(messengers).toHaveLength(100);
    await ana.delete(`/messengers/${messengers[0].id}`);
    expect((await ana.post('/messengers')).status).toBe(201);
  });

  it('that had three thousand before reads, edits and deletes them', async () => {
    const ana = await app.signUp();
    await insertMessengers(ana, 3000);
    expect(refusalOf(await ana.post('/messengers'))).toEqual(tooMany);
    const read: Messenger[] = [];
    let next: string | null = null;
    do {
      const query: string = next ? `?messengersAfter=${next}` : '';
      const { status, body } = await ana.get(`/users/me${query}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
      read.push(...body.messengers);
      next = body.messengersNext;
    } while (next);
    expect(new Set(read.map(({ id }) => id)).size).toBe(3000);
    const last = read.at(-1)?.id;
    const changed = await ana.patch(`/messengers/${last}`, { message: 'Bonjour' });
    expect(changed).toMatchObject({ status: 200, body: { message: 'Bonjour' } });
    expect((await ana.delete(`/messengers/${last}`)).status).toBe(204);
  });

  it('reads no notification of others by naming it as the last one', async () => {
    const [ana, eve] = [await app.signUp(), await app.signUp()];
    const { id } = await connectSlack(app, ana, team);
    await connectSlack(app, eve, team);
    const { body } = await eve.get(`/users/me?messengersAfter=${id}`);
    expect(body).toMatchObject({ messengers: [], messengersNext: null });
    expect((await eve.get('/users/me?messengersAfter=x')).status).toBe(400);
  });

  it('has fifty sessions at most: the next one ends the one that was not used for longest', async () => {
    const ana = await app.signUp();
    const { email, password } = ana.details;
    const { randomness, clock } = app.services;
    const start = clock.now().getTime();
    const rows = Array.from({ length: 49 }, (_, index) => {
      const at = new Date(start + (index + 1) * 1000);
      return {
        ...{ token_hash: `${ana.id}${index}`, user_id: ana.id, id: randomness.uuid() },
        ...{ created_at: at, last_used_at: at, expires_at: new Date(start + 86_400_000) },
      };
    });
    await database().insertInto('sessions').values(rows).execute();
    app.clock.advance({ minutes: 2 });
    const count = async () =>
      (await database().selectFrom('sessions').select('id').where('user_id', '=', ana.id).execute())
        .length;
    expect(await count()).toBe(50);
    expect((await ana.get('/users/me')).status).toBe(200);
    const { body } = await app.visitor.post('/accounts/login', { email, password });
    expect((await app.visitor.as(body.token).get('/users/me')).status).toBe(200);
    expect((await ana.get('/users/me')).status).toBe(401);
    expect(await count()).toBe(50);
  });

  it('has twenty authorisations under way at most, until one is used or they expire', async () => {
    const ana = await app.signUp();
    const ask = () => ana.get('/messengers/slack/connect');
    const answers = await Promise.all(Array.from({ length: 25 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) {
      expect(refusalOf(answer)).toEqual({
        status: 429,
        code: 'Too_Many_Authorizations',
        message:
          "Trop de demandes d'autorisation sont en attente. Allez au bout de l'une d'elles, ou réessayez dans dix minutes.",
      });
      expect(answer.headers.get('retry-after')).toBe('600');
    }
    expect((await (await app.signUp()).get('/messengers/slack/connect')).status).toBe(200);
    const [first] = answers.filter(({ status }) => status === 200);
    const state = new URL(first?.body.redirect_url).searchParams.get('state') ?? '';
    await app.visitor.get(`/messengers/slack/callback?error=access_denied&state=${state}`);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    app.clock.advance({ minutes: 10, seconds: 1 });
    expect((await ask()).status).toBe(200);
  });

  it('keeps the newest twenty ways back from the bank’s page of each kind', async () => {
    const ana = await app.signUp();
    const begun = app.clock.now().getTime();
    for (let visit = 0; visit < 25; visit += 1) {
      expect((await ana.get('/bridge/items/connect')).status).toBe(200);
      app.clock.advance({ seconds: 1 });
    }
    const kept = await database()
      .selectFrom('bank_connect_sessions')
      .select('created_at')
      .where('user_id', '=', ana.id)
      .orderBy('created_at')
      .execute();
    const seconds = kept.map(({ created_at }) => (created_at.getTime() - begun) / 1000);
    expect(seconds).toEqual(Array.from({ length: 20 }, (_, index) => index + 5));
  });

  it('adds no bank to fifty, and keeps those it has', async () => {
    const ana = await app.signUp();
    await sql`insert into bank_connections (user_id, source, id, source_id, bank_id, bank_name, state,
        status, seen_at)
      select ${ana.id}, 'bridge', nextval('bank_connection_ids'), 'x' || number, 1, 'Banque', 'ok', 0,
        ${app.services.clock.now()}::timestamptz
      from generate_series(1, 50) number`.execute(database());
    expect(refusalOf(await ana.get('/bridge/items/connect'))).toEqual({
      status: 409,
      code: 'Too_Many_Banks',
      message:
        "Vous avez déjà 50 banques, c'est le maximum. Supprimez-en une pour en relier une autre.",
    });
    expect((await ana.get('/bridge/items?stored=1')).body).toHaveLength(50);
  });

  it('links a hundred teams at most, and then in place of those that nothing is posted to', async () => {
    const ana = await app.signUp();
    const { id } = await connectSlack(app, ana, team);
    await sql`insert into destinations (user_id, id, chat, team_id, team_name, scope, sealed_secret,
        state, created_at, updated_at)
      select user_id, id || number, chat, team_id || number, team_name, scope, sealed_secret, state,
        created_at - number * interval '1 s', updated_at
      from destinations, generate_series(1, 99) number
      where user_id = ${ana.id}`.execute(database());
    const linked = async () =>
      (
        await database()
          .selectFrom('destinations')
          .select('team_id')
          .where('user_id', '=', ana.id)
          .where('state', '=', 'connected')
          .execute()
      ).map(({ team_id }) => team_id);
    await connectSlack(app, ana, 'T0BONNARD');
    expect(await linked()).toHaveLength(100);
    expect(await linked()).not.toContain(`${team}99`);
    await sql`insert into messengers (user_id, id, destination_id, slot_id, message, hours, minutes,
        zone, active_since, created_at, updated_at)
      select dest.user_id, gen_random_uuid(), dest.id, m.slot_id, '', m.hours, m.minutes, m.zone,
        m.active_since, dest.created_at, dest.updated_at
      from destinations dest join messengers m on m.user_id = dest.user_id and m.id = ${id}
      where dest.state = 'connected'`.execute(database());
    await database()
      .deleteFrom('messengers')
      .where('user_id', '=', ana.id)
      .where('id', '=', id)
      .execute();
    const slackBotToken = app.chat.control.install('T0LENOIR');
    expect(refusalOf(await ana.post('/messengers', { slackBotToken }))).toMatchObject({
      status: 409,
      code: 'Too_Many_Destinations',
    });
  });
});
