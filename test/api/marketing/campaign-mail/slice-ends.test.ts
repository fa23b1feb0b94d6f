import { sliceEnds } from '../../../../src/marketing/campaign-mail/slice-ends';
import type { RecordedSlice } from '../../../../src/marketing/campaign-mail/slice-ends';
import { newId } from '../../../../src/platform/core/ids';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { CampaignClaimModel } from '../../../../src/records/emails/claim-model';
import { insertClaims } from '../../../../src/records/emails/claims';
import { sliceOfAttempt } from '../../../../src/records/events/slices';
import { EventGroupModel } from '../../../../src/records/events/group-model';
import { aProject } from '../../../support/platform/app';
import { claimedNow } from '../../../support/data/claims';

const app = aProject();
const CAMPAIGN = 'cmp_of_slices';

/** Claims as many messages, and acts as if they all had rows. */
async function recorded(count: number): Promise<RecordedSlice> {
  const of = { projectId: app.keys.projectId, campaignId: CAMPAIGN, at: new Date() };
  const attemptId = newId('att');
  const emails = Array.from({ length: count }, () => newId('em'));
  const claim = {
    ...of,
    _id: attemptId,
    page: `${CAMPAIGN}/`,
    worker: 'wrk_1',
    testMode: false,
    month: null,
    begun: true,
    emails,
    contacts: [],
    to: [],
    contents: [],
  };
  await inTransaction((session) => insertClaims([claim], session));
  return { claim, slice: sliceOfAttempt({ ...of, attemptId, grouped: 3, count }) };
}

const known = async (): Promise<readonly (number | undefined)[]> =>
  (await EventGroupModel.find({ campaignId: CAMPAIGN }).sort({ count: 1 }).lean()).map(({ count }) => count);

test('slices end together: first their events are known, then their claims are gone, by one command each', async () => {
  const slices = [await recorded(2), await recorded(3)];
  const ends = sliceEnds(app.core);
  const storing = jest.spyOn(EventGroupModel.collection, 'bulkWrite');
  const ending = jest.spyOn(CampaignClaimModel.collection, 'deleteMany');
  const ended = slices.map((slice) => ends.end(slice));
  expect([(await claimedNow()).length, await known()]).toEqual([5, []]);
  ends.hurry();
  await Promise.all(ended);
  expect([storing.mock.calls.length, ending.mock.calls.length]).toEqual([1, 1]);
  expect(Number(storing.mock.invocationCallOrder[0])).toBeLessThan(Number(ending.mock.invocationCallOrder[0]));
  expect([await claimedNow(), await known()]).toEqual([[], [2, 3]]);
});

test('a slice ends by itself when nothing else comes, and one whose events are rows of their own leaves none', async () => {
  const { claim } = await recorded(1);
  const before = await known();
  await sliceEnds(app.core).end({ claim, slice: null });
  expect([await claimedNow(), await known()]).toEqual([[], before]);
});
