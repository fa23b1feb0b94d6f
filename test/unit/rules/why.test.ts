import fc from 'fast-check';
import { refusal } from '../../../src/rules/refusal';
import type { RecipientState } from '../../../src/rules/refusal';
import { isInTopic } from '../../../src/rules/topics';
import type { MailTopic } from '../../../src/rules/topics';
import { askedOf, firstReason, passing, reasonOf, recipientChecks, recordedFacts, recordedAtSendTime } from '../../../src/rules/why';
import type { Check, Reason } from '../../../src/rules/why';

const AT = new Date('2026-11-23T09:00:00.000Z');
const TOPIC = 'top_1';
const choice = { topicId: TOPIC, since: AT, source: 'api' } as const;

const states: fc.Arbitrary<RecipientState> = fc.record({
  suppression: fc.constantFrom(null, 'hard_bounce', 'complaint', 'unsubscribe', 'manual'),
  subscribed: fc.boolean(),
  choices: fc.constantFrom(undefined, {}, { topicsIn: [choice] }, { topicsOut: [choice] }),
  snoozedUntil: fc.constantFrom(undefined, new Date(AT.getTime() - 1), AT, new Date(AT.getTime() + 1)),
});
const topics: fc.Arbitrary<MailTopic | null> = fc.constantFrom(
  null,
  { topicId: TOPIC, defaultSubscription: 'in' as const },
  { topicId: TOPIC, defaultSubscription: 'out' as const },
);

const factsOf = ({ suppression, subscribed, choices, snoozedUntil }: RecipientState, topic: MailTopic | null, marketing: boolean) => ({
  marketing,
  suppression,
  subscribed,
  topicId: topic?.topicId ?? null,
  inTopic: topic ? isInTopic(topic, choices) : true,
  snoozedUntil: snoozedUntil ? snoozedUntil.toISOString() : null,
  judgedAt: AT.toISOString(),
});

test('the facts of a recipient, judged one by one, come to what stopped the message', () => {
  fc.assert(
    fc.property(states, topics, fc.boolean(), (state, topic, marketing) => {
      const judged = refusal(marketing ? 'marketing' : 'transactional', state, topic, AT);
      expect(firstReason(recipientChecks(factsOf(state, topic, marketing)))).toEqual(judged);
    }),
  );
});

test('the facts that were recorded of a skip come to its reason again', () => {
  fc.assert(
    fc.property(states, topics, fc.boolean(), (state, topic, isOld) => {
      const refused = refusal('marketing', state, topic, AT);
      const recorded = isOld ? null : { suppression: state.suppression, subscribed: state.subscribed };
      const facts = refused ? recordedFacts(refused, recorded, topic?.topicId ?? null, AT) : passing(true, TOPIC, AT);
      expect(firstReason(recipientChecks(facts))).toEqual(refused);
    }),
  );
});

test.each<Reason>([
  { reason: 'limit_reached', detail: { window: 'expired' } },
  { reason: 'limit_reached', detail: { sendOnce: 'welcome', emailId: 'em_1' } },
  { reason: 'limit_reached', detail: { throttle: 'default', until: AT.toISOString() } },
  { reason: 'limit_reached', detail: { cap: 'weekly', expired: true } },
])('so do those of a window or a limit that stopped it: %j', (skipped) => {
  expect(firstReason(recordedAtSendTime(skipped))).toEqual(skipped);
});

test('a skip for another reason passed its window and its limits', () => {
  expect(firstReason(recordedAtSendTime({ reason: 'unsubscribed', detail: { topicId: TOPIC } }))).toBeNull();
});

test('a chain ends with the first check that is not passed', () => {
  const checks: readonly Check[] = [
    { check: 'audience', selected: true },
    { check: 'hold', heldReason: 'paused' },
    { check: 'domain', domain: 'hello.test', verified: false },
  ];
  expect(askedOf(checks)).toEqual(checks.slice(0, 2));
  expect(firstReason(checks)).toEqual({ reason: 'paused' });
});

test.each<[Check, string]>([
  [{ check: 'project', disabled: true }, 'disabled'],
  [{ check: 'contact', exists: false }, 'deleted'],
  [{ check: 'audience', selected: false }, 'not_in_audience'],
  [{ check: 'campaign', cancelled: true }, 'cancelled'],
  [{ check: 'restore', mayHaveBeenSent: true }, 'restored'],
  [{ check: 'workflow', active: false }, 'not_active'],
  [{ check: 'trigger_filter', matched: false }, 'filter_not_matched'],
  [{ check: 'reentry', allowed: false, reentry: 'never' }, 'reentry_refused'],
  [{ check: 'trigger', happened: false, event: 'order.placed' }, 'not_triggered'],
  [{ check: 'reputation', state: 'paused' }, 'reputation_paused'],
  [{ check: 'limits', reached: 'limit_reached' }, 'limit_reached'],
  [{ check: 'domain', domain: 'hello.test', verified: false }, 'unverified_domain'],
])('a check that is not passed has its reason: %j', (check, reason) => {
  expect(reasonOf(check)).toEqual({ reason });
});
