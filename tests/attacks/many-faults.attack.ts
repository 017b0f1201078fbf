import assert from 'node:assert/strict';
import { attack } from './attack.ts';

export default attack({
  name: 'a body of half a million faults, each of which an answer could name',
  harmless: false,
  prepare: ({ own }) => own().signUp(),
  async expect(_target, ana) {
    const days = Array.from({ length: 500_000 }, () => 0);
    const answers = [];
    for (const id of [crypto.randomUUID(), 'x']) {
      const begun = performance.now();
      const { status, body } = await ana.patch(`/messengers/${id}`, { days });
      const ms = Math.round(performance.now() - begun);
      answers.push({ status, ms, bytes: JSON.stringify(body).length });
    }
    const [longest, largest] = [
      Math.max(...answers.map(({ ms }) => ms)),
      Math.max(...answers.map(({ bytes }) => bytes)),
    ];
    assert.ok(
      answers.every(({ status }) => status >= 400 && status < 500),
      'it is not refused',
    );
    assert.ok(largest < 10_000, `${largest} bytes are answered`);
    return `${largest} bytes in ${longest} ms`;
  },
});
