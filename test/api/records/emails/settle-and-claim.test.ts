import { settleAndClaim } from '../../../../src/records/emails/attempts';
import type { Claim } from '../../../../src/records/emails/attempts';
import type { Email } from '../../../../src/records/emails/model';
import { listeningOf } from '../../../../src/records/events/listeners';
import { Recorder } from '../../../../src/sending/deliver/record';
import { newId } from '../../../../src/platform/core/ids';
import { acceptance, onTheWire } from '../../../support/data/accepted-mail';
import { storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { claimOf as claimAt } from '../../../support/data/claims';

const app = aProject();
const NOW = new Date();

const waiting = (...changes: readonly Partial<Email>[]): Promise<Email[]> =>
  storeEmails(app.keys.projectId, ...changes.map((change) => ({ dueAt: new Date(NOW.getTime() - 1_000), ...change })));
const claimOf = (emails: readonly Email[]): Claim => claimAt(emails, { id: newId('att'), worker: 'wrk_next', at: NOW }, NOW);
const results = async (count: number) => {
  const emails = await onTheWire(
    app.keys.projectId,
    Array.from({ length: count }, () => ({ source: 'transactional' as const })),
  );
  return emails.map((email) => acceptance(email, NOW));
};
const statuses = async (emails: readonly { readonly _id: string }[]): Promise<readonly (string | undefined)[]> =>
  Promise.all(emails.map(async ({ _id }) => (await stored.emails.one(_id))?.status));

test('one command settles results and claims the next messages', async () => {
  const [finished, next] = [await results(3), await waiting({}, {})];
  const claim = claimOf(next);
  expect(await settleAndClaim(finished, claim)).toEqual({ settled: 3, claimed: new Set(claim.ids) });
  expect(await statuses(finished.map(({ email }) => email))).toEqual(['delivered', 'delivered', 'delivered']);
  for (const { _id } of next)
    expect(await stored.emails.one(_id)).toMatchObject({ status: 'sending', attempts: 1, attempt: claim.attempt });
});

test('of the next messages it claims those that still wait and are due', async () => {
  const [finished, next] = [await results(2), await waiting({}, { status: 'cancelled' }, { dueAt: new Date(NOW.getTime() + 60_000) })];
  expect(await settleAndClaim(finished, claimOf(next))).toEqual({ settled: 2, claimed: new Set([next[0]?._id]) });
  expect(await statuses(next)).toEqual(['sending', 'cancelled', 'queued']);
});

test('what was opened before its delivery was recorded stays opened, and is settled', async () => {
  const [finished, next] = [await results(2), await waiting({})];
  const opened = finished[0]?.email._id ?? '';
  await stored.emails.change(opened, { openedAt: NOW, opens: 1 });
  expect(await settleAndClaim(finished, claimOf(next))).toMatchObject({ settled: 2, claimed: new Set([next[0]?._id]) });
  expect(await statuses(finished.map(({ email }) => email))).toEqual(['opened', 'delivered']);
});

test('repeated because its answer was lost, it knows what it has claimed', async () => {
  const [finished, next] = [await results(2), await waiting({}, {})];
  const claim = claimOf(next);
  await settleAndClaim(finished, claim);
  expect((await settleAndClaim(finished, claim)).claimed).toEqual(new Set(claim.ids));
  for (const { _id } of next) expect(await stored.emails.one(_id)).toMatchObject({ status: 'sending', attempts: 1 });
});

test.each([2, 40])('a worker records %i results and has as many next messages claimed', async (count) => {
  const [finished, next] = [await results(count), await waiting(...Array.from({ length: count }, () => ({})))];
  const claim = claimOf(next);
  const recorder = new Recorder(app.core);
  const listening = () => listeningOf(app.keys.projectId);
  expect(
    await recorder.record(
      finished.map((outcome) => ({ outcome, listening })),
      claim,
    ),
  ).toEqual(new Set(claim.ids));
  expect(new Set(await statuses(finished.map(({ email }) => email)))).toEqual(new Set(['delivered']));
  expect(new Set(await statuses(next))).toEqual(new Set(['sending']));
});
