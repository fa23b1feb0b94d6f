import { refusal } from '../../../src/rules/refusal';
import type { RecipientState } from '../../../src/rules/refusal';

const NOW = new Date('2026-11-28T09:00:00Z');
const LATER = new Date('2026-12-12T09:00:00Z');
const TOPIC = { topicId: 'tpc_1', defaultSubscription: 'in' } as const;
const OUT = { topicsOut: [{ topicId: 'tpc_1', since: NOW, source: 'preferences' }] } as const;

/** Someone to whom everything applies, so that taking the first reason away shows the next. */
const STATE: RecipientState = { suppression: 'complaint', subscribed: false, choices: OUT, snoozedUntil: LATER };

const detail = { topicId: 'tpc_1' };
const snoozed = { reason: 'unsubscribed', detail: { snoozedUntil: LATER.toISOString() } };

test.each<[string, Partial<RecipientState>, ReturnType<typeof refusal>]>([
  ['suppressed', {}, { reason: 'suppressed' }],
  ['unsubscribed by address', { suppression: 'unsubscribe' }, { reason: 'unsubscribed' }],
  ['unsubscribed', { suppression: null }, { reason: 'unsubscribed' }],
  ['not in the topic', { suppression: null, subscribed: true }, { reason: 'unsubscribed', detail }],
  ['paused', { suppression: null, subscribed: true, choices: null }, snoozed as ReturnType<typeof refusal>],
  ['none, once the pause is over', { suppression: null, subscribed: true, choices: null, snoozedUntil: NOW }, null],
  ['none', { suppression: null, subscribed: true, choices: null, snoozedUntil: undefined }, null],
])('the first reason of several is %s', (_name, change, expected) => {
  expect(refusal('marketing', { ...STATE, ...change }, TOPIC, NOW)).toEqual(expected);
});

test('a pause and a topic stop no transactional mail, and a pause stops marketing mail without a topic', () => {
  expect(refusal('transactional', { ...STATE, suppression: null }, null, NOW)).toBeNull();
  expect(refusal('marketing', { suppression: null, subscribed: true, snoozedUntil: LATER }, null, NOW)).toEqual(snoozed);
});
