import request from 'supertest';
import { readAudit } from '../../../../src/records/audit';
import { approvalCalls } from '../../../support/calls/approvals';
import { campaignCalls } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { draft, get: campaign } = campaignCalls(() => app);
const { requested, get, turn, keyOf } = approvalCalls(() => app);

let person: string;
beforeAll(async () => {
  person = await keyOf();
});

/** A pending approval, and the path of its link. */
async function linked(fields: object = {}): Promise<{ readonly approvalId: string; readonly campaignId: string; readonly path: string }> {
  const { campaignId } = await draft(fields);
  const { approvalId } = await requested(campaignId);
  const { body } = await app.api(person).post(`/v1/approvals/${approvalId}/link`).send({}).expect(200);
  return { approvalId, campaignId, path: (body.data.url as string).slice(app.core.config.PUBLIC_URL.length) };
}

const open = (path: string) => request(app.url).get(path);
const decide = (path: string, decision: string) => request(app.url).post(path).type('form').send({ decision });

test('opening a link shows what will happen and changes nothing, whoever opens it', async () => {
  const { approvalId, path } = await linked({ name: '<b>Spring</b>' });
  const { text, headers } = await open(path).expect(200);
  expect(text).toContain('Sends the campaign “&lt;b&gt;Spring&lt;/b&gt;” to 0 contacts at once.');
  expect(headers['cache-control']).toBe('no-store, private');
  await request(app.url).head(path).expect(200);
  await open(path).set('User-Agent', 'Mozilla/5.0 SafeLinks').set('Sec-Purpose', 'prefetch').expect(200);
  await request(app.url).put(path).expect(405);
  expect(await get(approvalId)).toMatchObject({ state: 'pending' });
});

test('its button approves, once, and the audit names the link', async () => {
  const { approvalId, campaignId, path } = await linked();
  expect((await decide(path, 'approve').expect(200)).text).toContain('It is approved');
  expect(await get(approvalId)).toMatchObject({ state: 'approved', decidedBy: 'link' });
  const [last] = await readAudit({ projectId: app.keys.projectId, limit: 1, before: null });
  expect(last).toMatchObject({ by: 'link', action: 'approval.approve', subject: approvalId });
  expect((await decide(path, 'reject').expect(200)).text).toContain('It is approved');
  await turn(approvalId);
  expect(await campaign(campaignId)).toMatchObject({ status: 'sending' });
  const after = await open(path).expect(200);
  expect(after.text).toContain('It was approved and carried out.');
  expect(after.text).not.toContain('<form');
});

test('its other button rejects', async () => {
  const { approvalId, path } = await linked();
  expect((await decide(path, 'reject').expect(200)).text).toContain('It was rejected');
  expect(await get(approvalId)).toMatchObject({ state: 'rejected' });
});

test('what is neither, is damaged, or is too late decides nothing', async () => {
  const { approvalId, path } = await linked();
  await decide(path, 'perhaps').expect(422);
  await decide(`${path.slice(0, -1)}${path.endsWith('0') ? '1' : '0'}`, 'approve').expect(404);
  await open('/a/nonsense').expect(404);
  await stored.approvals.change(approvalId, { $set: { expiresAt: new Date(Date.now() - 1) } });
  // The signature is that of the first end: an approval that was moved has no link.
  await decide(path, 'approve').expect(404);
  expect(await get(approvalId)).toMatchObject({ state: 'pending' });
});

test('a link ends with the key that created it, and no other one does', async () => {
  const maker = await app.api().post('/v1/keys').send({ kind: 'secret' }).expect(201);
  const { campaignId } = await draft();
  const { approvalId } = await requested(campaignId);
  const linkBy = async (key: string): Promise<string> => {
    const { body } = await app.api(key).post(`/v1/approvals/${approvalId}/link`).send({}).expect(200);
    return (body.data.url as string).slice(app.core.config.PUBLIC_URL.length);
  };
  const [its, other] = [await linkBy(maker.body.data.key as string), await linkBy(person)];
  await open(its).expect(200);
  await app
    .api()
    .delete(`/v1/keys/${maker.body.data.keyId as string}`)
    .expect(200);
  await open(its).expect(404);
  await decide(its, 'approve').expect(404);
  expect(await get(approvalId)).toMatchObject({ state: 'pending' });
  expect((await decide(other, 'approve').expect(200)).text).toContain('It is approved');
});

test('a link whose time is over says so', async () => {
  const { approvalId, path } = await linked();
  await turn(approvalId, 25 * 3_600_000);
  expect((await decide(path, 'approve').expect(200)).text).toContain('No one decided in time');
  expect(await get(approvalId)).toMatchObject({ state: 'expired' });
});
