import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createMetrics } from '../../src/server/platform/metrics/metrics.ts';

const rules = readFileSync(new URL('../../operations/alerts.yaml', import.meta.url), 'utf8');

it('the alert rules speak of metrics that exist', async () => {
  const metrics = createMetrics(async () => ({ queues: [], dueWaiting: 0, dueOldestSeconds: 0 }));
  const { text } = await metrics.expose();
  const named = new Set(rules.match(/\b(tirelire|nodejs)_[a-z0-9_]+/g));
  expect(named.size).toBeGreaterThan(4);
  for (const name of named) {
    const family = name.replace(/_(bucket|count|sum)$/, '');
    expect(text, name).toContain(`# TYPE ${family} `);
  }
});

it('one of them asks for what no process shows while the database is away', async () => {
  const metrics = createMetrics(() => Promise.reject(new Error('the database is away')));
  const { text } = await metrics.expose();
  const [, absent] = /expr: absent\((\w+)\)/.exec(rules) ?? [];
  expect(text).toContain(`# TYPE ${absent} `);
  expect(text).not.toMatch(new RegExp(`^${absent} `, 'm'));
});
