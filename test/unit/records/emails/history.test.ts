import { historyOf, holding } from '../../../../src/records/emails/history';
import type { RowEvents, HistoryRow } from '../../../../src/records/emails/history';
import { toEmail } from '../../../../src/records/emails/row';
import { acceptedOutcome } from '../../../../src/sending/deliver/outcome';

const NOON = new Date('2026-03-04T12:00:00Z');
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

const mail = (source: 'transactional' | 'campaign') =>
  toEmail({
    _id: 'em_1',
    projectId: 'prj_1',
    shard: 0,
    priority: 0,
    status: 'sending',
    source,
    type: 'marketing',
    testMode: false,
    to: 'a@example.com',
    contactId: 'ctc_1',
    fromEmail: 'b@hello.test',
    subject: 'Hi',
    values: '{}',
    messageId: '<1@a>',
    attempts: 1,
    createdAt: NOON,
  });

/** What a row says that was sent two seconds after its acceptance, and recorded at some second. */
const written = (source: 'transactional' | 'campaign', seconds: number) =>
  holding(acceptedOutcome(mail(source), '250 Ok', { acceptedIsDelivered: true }, after(2)), after(seconds));

const history = (held: RowEvents, source: 'transactional' | 'campaign' = 'transactional') => {
  const row: HistoryRow = { ...mail(source), sentAt: after(2), recipient: undefined, ...held };
  return historyOf(row).map(({ name, createdAt, receivedAt }) => [name, createdAt, receivedAt]);
};

describe('a row holds', () => {
  test.each([
    [{}, []],
    [{ holdsQueued: 'at_once' }, ['email.queued']],
    [{ holds: 'sent' }, ['email.sent']],
    [{ holdsQueued: 'at_once', holds: 'delivered' }, ['email.queued', 'email.sent', 'email.delivered']],
    [{ holds: 'undone' }, ['email.sent', 'email.delivered']],
  ] satisfies readonly (readonly [RowEvents, readonly string[]])[])('of %j the events %j', (held, names) => {
    expect(history(held).map(([name]) => name)).toEqual(names);
  });

  test('the contact of its recipient, and what the next server answered', () => {
    const row: HistoryRow = { ...mail('campaign'), recipient: { to: 'c@example.com', contactId: 'ctc_2' }, sentAt: after(2) };
    const [sent] = historyOf({ ...row, holds: 'sent', response: '250 Ok' });
    expect([sent?.contactId, sent?.data]).toEqual(['ctc_2', { source: 'campaign', response: '250 Ok' }]);
  });
});

describe('when its events were recorded is', () => {
  test('when they happened, where the row was written at about that time', () => {
    expect(written('transactional', 3)).toEqual({ holds: 'delivered', response: '250 Ok', sentAt: after(2), deliveredAt: after(2) });
    expect(history(written('campaign', 3), 'campaign')).toEqual([
      ['email.queued', NOON, NOON],
      ['email.sent', after(2), after(2)],
      ['email.delivered', after(2), after(2)],
    ]);
  });

  test('when the row was written, where that was long after', () => {
    expect(history({ holdsQueued: 'at_once', ...written('transactional', 60) })).toEqual([
      ['email.queued', NOON, NOON],
      ['email.sent', after(2), after(60)],
      ['email.delivered', after(2), after(60)],
    ]);
    expect(history(written('campaign', 60), 'campaign').map(([, , receivedAt]) => receivedAt)).toEqual([after(60), after(60), after(60)]);
  });
});
