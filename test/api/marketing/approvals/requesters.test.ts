import { approvalCalls } from '../../../support/calls/approvals';
import { campaignCalls } from '../../../support/calls/campaigns';
import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { aMember, operate, tokenIn } from '../../../support/calls/member-browsers';
import type { SignedInMember } from '../../../support/calls/member-browsers';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN, DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { draft, contact } = campaignCalls(() => app);
const { requested, decide, get } = approvalCalls(() => app);

let ada: SignedInMember;
let bob: SignedInMember;
beforeAll(async () => {
  await contact('reader@example.com');
  ada = await aMember(app, 'ada@example.com', 'owner');
  bob = await aMember(app, 'bob@example.com', 'admin');
});

const keyBy = async ({ browser }: SignedInMember, body: object = {}): Promise<string> =>
  (
    await browser
      .ask('post', '/v1/keys')
      .send({ kind: 'secret', ...body })
      .expect(201)
  ).body.data.key as string;
const keyWith = async (key: string): Promise<string> =>
  (await app.api(key).post('/v1/keys').send({ kind: 'secret' }).expect(201)).body.data.key as string;
const idBy = async (key: string): Promise<string> => (await requested((await draft()).campaignId, {}, key)).approvalId;
const approve = async ({ browser }: SignedInMember, id: string): Promise<number> =>
  (await browser.ask('post', `/v1/approvals/${id}/approve`).send({})).status;

/** A request by the person in the console. */
async function idInPerson({ browser }: SignedInMember): Promise<string> {
  const { campaignId } = await draft();
  const body = { operation: 'sendCampaign', parameters: { id: campaignId } };
  return (await browser.ask('post', '/v1/approvals').send(body).expect(201)).body.data.approvalId as string;
}

describe('an approval cannot be given', () => {
  test('by the person who made the key that requested it; another person gives it', async () => {
    const id = await idBy(await keyBy(ada));
    expect(await approve(ada, id)).toBe(403);
    const { status, body } = await ada.browser.ask('post', `/v1/approvals/${id}/link`);
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(await approve(bob, id)).toBe(200);
  });

  test('by the person who requested it, in another session or with an own key', async () => {
    const id = await idInPerson(ada);
    expect(await approve(await aMember(app, 'ada@example.com', 'owner'), id)).toBe(403);
    await decide(id, 'approve', await keyBy(ada)).expect(403);
    const byKey = new ConsoleBrowser(app.url);
    await byKey.signIn({ key: await keyBy(ada) });
    await byKey.ask('post', `/v1/approvals/${id}/approve`).send({}).expect(403);
    await decide(id, 'approve', await keyBy(bob)).expect(200);
  });

  test('by another key of the person whose key requested it', async () => {
    const id = await idBy(await keyBy(ada));
    await decide(id, 'approve', await keyBy(ada)).expect(403);
    await decide(id, 'approve', await keyWith(await keyBy(ada))).expect(403);
    expect((await get(id)).state).toBe('pending');
  });

  test('by the person whose key requested it, once that key is revoked or the person has no such key any more', async () => {
    const key = await keyBy(ada);
    const id = await idBy(key);
    const { body } = await ada.browser.ask('get', '/v1/keys').expect(200);
    const row = (body.data.data as readonly { keyId: string; prefix: string }[]).find(({ prefix }) => key.startsWith(prefix));
    await ada.browser.ask('delete', `/v1/keys/${row?.keyId}`).expect(200);
    expect(await approve(ada, id)).toBe(403);
  });
});

describe('an approval can be given', () => {
  test("by an operator's key for a key that it made, as for an agent, or by another such key; and rejected by its requester", async () => {
    const agent = await keyWith(app.keys.secret);
    await decide(await idBy(agent), 'approve', app.keys.secret).expect(200);
    await decide(await idBy(agent), 'approve', await keyWith(app.keys.secret)).expect(200);
    expect((await decide(await idBy(agent), 'reject', agent)).status).toBe(200);
  });

  test("by a session of an operator's link, for a key that was made in it", async () => {
    const { url } = await operate<{ url: string }>(app, 'console-link', app.keys.projectId);
    const browser = new ConsoleBrowser(app.url);
    await browser.signIn({ link: tokenIn(url) });
    const made = await browser.ask('post', '/v1/keys').send({ kind: 'secret' }).expect(201);
    expect(made.body.data.createdBy).toMatch(/^console /);
    const id = await idBy(made.body.data.key as string);
    expect((await browser.ask('post', `/v1/approvals/${id}/approve`).send({})).status).toBe(200);
  });
});

/** The path of a link to a new approval, which somebody at the console creates. */
async function linkBy(browser: ConsoleBrowser): Promise<string> {
  const { body } = await browser.ask('post', `/v1/approvals/${await idBy(app.keys.secret)}/link`).expect(200);
  return new URL(body.data.url as string).pathname;
}

test.each([
  ['admin', 200],
  ['approver', 200],
  ['marketer', 404],
  ['analyst', 404],
])('the link of an owner who is now %s answers %s', async (role, status) => {
  const { personId, browser } = await aMember(app, `now-${role}@example.com`, 'owner');
  const path = await linkBy(browser);
  await ada.browser.ask('patch', `/v1/members/${personId}`).send({ role }).expect(200);
  expect((await app.api().get(path)).status).toBe(status);
});

test("a link ends with the session of an operator's link that created it", async () => {
  const { url } = await operate<{ url: string }>(app, 'console-link', app.keys.projectId);
  const browser = new ConsoleBrowser(app.url);
  await browser.signIn({ link: tokenIn(url) });
  const path = await linkBy(browser);
  expect((await app.api().get(path)).status).toBe(200);
  await browser.ask('delete', '/console/session').expect(200);
  expect((await app.api().get(path)).status).toBe(404);
});

test('a link ends with the membership of the person who created it', async () => {
  const leaving = await aMember(app, 'leaving@example.com', 'admin');
  const id = await idBy(app.keys.secret);
  const { body } = await leaving.browser.ask('post', `/v1/approvals/${id}/link`).expect(200);
  const path = new URL(body.data.url as string).pathname;
  expect((await app.api().get(path)).status).toBe(200);
  await app.api().delete(`/v1/members/${leaving.personId}`).expect(200);
  expect((await app.api().get(path)).status).toBe(404);
});
