import { beginClaim, insertClaim } from '../../../src/emails/claims';
import { newId } from '../../../src/ids';
import { startTestApp } from '../../support/app';
import type { TestApp } from '../../support/app';
import { campaignCalls } from '../../support/campaigns';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
});
afterAll(() => app.close());

const { running, rows, api, finish } = campaignCalls(() => app);

test('a claim that has not begun when its campaign is cancelled cannot begin any more: its recipients were skipped', async () => {
  const campaignId = await running(2);
  const recipients = await rows(campaignId);
  const mail = {
    emails: recipients.map(({ emailId }) => emailId),
    contacts: recipients.map(({ contactId }) => contactId),
    to: recipients.map(({ email }) => email),
    contents: [],
    month: null,
  };
  const _id = newId('att');
  await insertClaim({
    _id,
    projectId: app.keys.projectId,
    campaignId,
    testMode: false,
    worker: 'wrk_1',
    at: new Date(),
    begun: false,
    ...mail,
  });

  await api().post(`/v1/campaigns/${campaignId}/cancel`).send({}).expect(200);
  await finish(campaignId, true);

  expect((await rows(campaignId)).map(({ status }) => status)).toEqual(['skipped', 'skipped']);
  expect(await beginClaim(_id, mail)).toBe(false);
});
