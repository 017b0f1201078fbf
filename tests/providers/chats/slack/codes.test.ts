import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reasonOf } from '../../../../src/server/notifications/reasons.ts';
import { resultOfNetworkError } from '../../../../src/server/providers/chats/json-posting.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import { classifyAnswer } from '../../../../src/server/providers/chats/slack/classify.ts';
import { name, reasons, words } from '../../../../src/server/providers/chats/slack/words.ts';
import { slackEntry } from '../../../../standins/slack/entry.ts';

function refusal(code: string, headers: Record<string, string> = {}): PostResult {
  return classifyAnswer({ status: 200, headers, body: JSON.stringify({ ok: false, error: code }) });
}

const permanent = {
  installation:
    'account_inactive token_revoked invalid_auth not_authed token_expired two_factor_setup_required',
  permission:
    'missing_scope no_permission not_allowed_token_type access_denied team_access_not_granted accesslimited app_access_restricted enterprise_is_restricted ekm_access_denied',
  channel:
    'channel_not_found not_in_channel is_archived restricted_action restricted_action_read_only_channel restricted_action_thread_only_channel restricted_action_non_threadable_channel restricted_action_thread_locked channel_is_limited_access messages_tab_disabled',
};

describe('Codes that need the user', () => {
  for (const [kind, codes] of Object.entries(permanent)) {
    it.each(codes.split(' '))(`${kind}: %s`, (code) => {
      expect(refusal(code)).toEqual({ end: 'permanent', kind, code });
    });
  }
});

describe('Codes that are our own fault', () => {
  const codes =
    'no_text invalid_blocks invalid_blocks_format msg_blocks_too_long msg_too_long too_many_attachments attachment_payload_limit_exceeded invalid_attachments metadata_too_large invalid_metadata_format invalid_metadata_schema metadata_must_be_sent_from_app markdown_text_conflict invalid_arguments invalid_arg_name invalid_form_data invalid_charset missing_post_type invalid_json unknown_method deprecated_endpoint method_deprecated';
  it.each([...codes.split(' '), 'a_code_of_tomorrow', 'constructor'])('%s', (code) => {
    expect(refusal(code)).toEqual({ end: 'fault', code });
  });

  it('are kept in a form that every database stores', () => {
    expect(refusal('a\u0000b\ud800c')).toEqual({ end: 'fault', code: 'a?b?c' });
    expect(refusal('x'.repeat(500))).toEqual({ end: 'fault', code: 'x'.repeat(80) });
  });
});

describe('Codes that posted nothing and pass', () => {
  it('are what the demonstration plays as an outage: its message is tried again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tirelire-slack-'));
    const standin = await slackEntry.start({
      ...{ port: 0, clock: { now: () => new Date() }, publicUrl: 'http://localhost:3000' },
      stateFile: join(folder, 'state.json'),
    });
    standin.scenarios?.find(({ name }) => name === 'chat-down')?.begin();
    const url = `${standin.variables.SLACK_API_URL}chat.postMessage`;
    const response = await fetch(url, { method: 'POST' });
    const answer = { status: response.status, headers: {}, body: await response.text() };
    await standin.close();
    await rm(folder, { recursive: true });
    expect(classifyAnswer(answer)).toMatchObject({ end: 'transient' });
  });

  const codes =
    'ratelimited rate_limited service_unavailable request_timeout org_login_required team_added_to_org message_limit_exceeded';
  it.each(codes.split(' '))('%s', (code) => {
    const limitScope = /^rate_?limited$/.test(code) ? 'team' : null;
    expect(refusal(code)).toEqual({ end: 'transient', code, limitScope, retryAfterSeconds: null });
  });

  it.each(codes.split(' '))('%s is not called a fault of ours', (code) => {
    expect(reasonOf({ name, words, reasons }, code).sentence).toContain('Slack');
  });

  it('obeys a Retry-After that is a number and no other', () => {
    expect(refusal('ratelimited', { 'retry-after': '7' })).toMatchObject({
      limitScope: 'team',
      retryAfterSeconds: 7,
    });
    expect(refusal('ratelimited', { 'retry-after': 'bientôt' })).toMatchObject({
      retryAfterSeconds: null,
    });
  });
});

describe('Pages that Slack did not write', () => {
  it.each([
    [302, ''],
    [403, '<!doctype html>'],
    [404, '{}'],
    [403, '{"ok":false,"error":"blocked_by_policy"}'],
    [407, '{"ok":true,"ts":"1"}'],
  ])('%i %j posted nothing and refuse nothing', (status, body) => {
    expect(classifyAnswer({ status, headers: { 'retry-after': '9' }, body })).toEqual({
      ...{ end: 'transient', code: `http_${status}`, intercepted: true },
      ...{ limitScope: null, retryAfterSeconds: null },
    });
  });

  it('are told from a no of Slack’s own', () => {
    const body = '{"ok":false,"error":"is_archived"}';
    expect(classifyAnswer({ status: 403, headers: {}, body })).toEqual({
      ...{ end: 'permanent', kind: 'channel', code: 'is_archived' },
    });
  });
});

describe('An answer that says posted', () => {
  const block = { type: 'section', text: { type: 'mrkdwn', text: 'Soldes "}}"' } };
  const whole = { ok: true, channel: 'C1', ts: '1763625600.000100', message: { blocks: [block] } };
  const posted = { end: 'posted', receipt: whole.ts, certainty: 'shown' };
  const read = (body: string) => classifyAnswer({ status: 200, headers: {}, body });

  it.each([
    whole,
    { ...whole, warning: 'superfluous_charset', response_metadata: { warnings: [] } },
    { ts: whole.ts, ok: true },
    { message: { ts: '1.2' }, ok: true, ts: whole.ts, channel: 'C1' },
  ])('is read in any order: %j', (answer) => {
    expect(read(JSON.stringify(answer))).toEqual(posted);
    expect(read(JSON.stringify(answer, null, 2))).toEqual(posted);
  });

  it('is a lost answer when it was cut, wherever that is not the end of a block', () => {
    const body = JSON.stringify(whole);
    const lost = { end: 'ambiguous', code: 'unreadable_answer' };
    for (let end = 0; end < body.length; end += 1) {
      const cut = body.slice(0, end);
      expect(read(cut), cut).toEqual(cut.endsWith('}}') ? posted : lost);
    }
  });

  it('is not taken from the message that it sends back', () => {
    const said = { ok: false, error: 'is_archived', message: { text: JSON.stringify(whole) } };
    expect(read(JSON.stringify(said))).toMatchObject({ code: 'is_archived' });
  });
});

describe('Answers after which the message may stand', () => {
  const codes =
    'internal_error fatal_error duplicate_message_not_found duplicate_channel_not_found';
  it.each(codes.split(' '))('%s', (code) => {
    expect(refusal(code)).toEqual({ end: 'ambiguous', code });
  });

  it.each(['', '{"ok":tr', '[]', 'null', '{}', '{"ok":true}', '{"ok":false}'])(
    'a 200 that reads %j',
    (body) => {
      expect(classifyAnswer({ status: 200, headers: {}, body })).toEqual({
        end: 'ambiguous',
        code: 'unreadable_answer',
      });
    },
  );

  it('any 5xx', () => {
    expect(classifyAnswer({ status: 502, headers: {}, body: '' }).end).toBe('ambiguous');
  });

  it('a network that failed after the request was written, but not before', () => {
    expect(resultOfNetworkError({ kind: 'reset', phase: 'after', status: null }).end).toBe(
      'ambiguous',
    );
    for (const status of [200, 408, 502]) {
      const lost = resultOfNetworkError({ kind: 'too-large', phase: 'after', status });
      expect(lost.end).toBe('ambiguous');
    }
    for (const kind of ['refused', 'dns', 'tls', 'timeout', 'reset', 'aborted'] as const) {
      const result = resultOfNetworkError({ kind, phase: 'before', status: null });
      expect(result.end).toBe('transient');
    }
  });

  it('but no page of a refusal, however long it is', () => {
    const refusal = { kind: 'too-large', phase: 'after', status: 403 } as const;
    expect(resultOfNetworkError(refusal)).toMatchObject({ end: 'transient', intercepted: true });
  });
});
