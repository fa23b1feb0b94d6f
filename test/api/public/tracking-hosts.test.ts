import { setTimeout } from 'node:timers/promises';
import type { Test } from 'supertest';
import type { Email } from '../../../src/records/emails/model';
import { DomainModel } from '../../../src/sending/domains/model';
import { storeEmail } from '../../support/data/email-rows';
import { stored } from '../../support/data/stored';
import { aProject } from '../../support/platform/app';
import { publicUrls } from '../../support/calls/public-urls';
import { delivered, link, pixel, visit } from './visits';

const app = aProject({ config: { PUBLIC_URL: 'https://mail.example.net' } });

const OWN = 'track.shop.test';
/** Longer than the readers of links wait. */
const SLOW_MS = 600;

beforeAll(async () => {
  const { body } = await app.api().post('/v1/domains').send({ domain: 'shop.test' }).expect(201);
  const verified = { status: 'verified', 'records.tracking': 'verified' };
  await stored.domains.change(String(body.data.domainId), { $set: verified });
});

const at = (host: string, path: string): Test => visit(app, 'get', path, { Host: host, Accept: 'text/html' });
const statusOf = async (host: string, path: string): Promise<number> => (await at(host, path)).status;

const linksOf = (email: Email) => {
  const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(app.core, email._id);
  const pathOf = (url: string): string => new URL(url).pathname;
  return { pixel: pixel(app, email), click: link(app, email), page: pathOf(unsubscribeUrl), view: pathOf(viewInBrowserUrl) };
};
const statusesOf = async (host: string, email: Email) => {
  const { pixel: open, click, page, view } = linksOf(email);
  return {
    open: await statusOf(host, open),
    click: await statusOf(host, click),
    page: await statusOf(host, page),
    view: await statusOf(host, view),
  };
};

const ALL = { open: 200, click: 302, page: 200, view: 200 };
const NONE = { open: 404, click: 404, page: 404, view: 404 };

const mine = (): Promise<Email> => delivered(app);
const others = (): Promise<Email> =>
  storeEmail(app.otherKeys.projectId, { status: 'delivered', sentAt: new Date(), deliveredAt: new Date() });

test.each([OWN, 'TRACK.shop.test:8443', 'track.shop.test.'])("the host %s serves its own project's links, and no other's", async (host) => {
  expect(await statusesOf(host, await mine())).toEqual(ALL);
  expect(await statusesOf(host, await others())).toEqual(NONE);
});

test.each(['mail.example.net', 'mail.example.net:443', '127.0.0.1', 'api.internal', 'track.unknown.test'])(
  'at %s all links are good',
  async (host) => {
    expect(await statusesOf(host, await mine())).toEqual(ALL);
    expect(await statusesOf(host, await others())).toEqual(ALL);
  },
);

test('a message of test mode is in the browser at PUBLIC_URL alone', async () => {
  const email = await delivered(app, { testMode: true });
  expect(await statusesOf(OWN, email)).toEqual({ ...ALL, view: 404 });
  expect(await statusesOf('mail.example.net', email)).toEqual(ALL);
});

test.each([
  '/',
  '/console',
  '/console/session',
  '/docs',
  '/docs/guides/errors',
  '/llms.txt',
  '/v1/health',
  '/v1/emails',
  '/dev/inbox',
  '/livez',
  '/t',
  '/x/t/o/1',
])('a tracking host does not have %s', async (path) => {
  expect(await statusOf(OWN, path)).toBe(404);
  const { body } = await visit(app, 'get', path, { Host: OWN, Accept: 'application/json' });
  expect(body).toMatchObject({ success: false, code: 'not_found' });
});

test('an opt-out by one click works at the own tracking host, and not at that of others', async () => {
  const click = async (email: Email): Promise<number> => {
    const { page } = linksOf(email);
    const answer = await fetch(`${app.url}${page}`, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    return answer.status;
  };
  const post = (email: Email) => app.api(null).post(linksOf(email).page).set('Host', OWN).type('form').send('List-Unsubscribe=One-Click');
  const [own, foreign] = [await mine(), await others()];
  expect((await post(own)).status).toBe(200);
  expect((await post(foreign)).status).toBe(404);
  expect(
    (
      await app
        .api(null)
        .post(`${linksOf(foreign).page}/undo`)
        .set('Host', OWN)
    ).status,
  ).toBe(404);
  expect(await stored.emails.get(foreign._id)).not.toHaveProperty('unsubscribedAt');
  expect(await click(foreign)).toBe(200);
});

test('a page that is no link waits for a slow database instead of standing under the name of a customer', async () => {
  const read = DomainModel.collection.findOne.bind(DomainModel.collection);
  const slow = jest.spyOn(DomainModel.collection, 'findOne').mockImplementation(async (...args: Parameters<typeof read>) => {
    await setTimeout(SLOW_MS);
    return read(...args);
  });
  try {
    expect(await statusOf(OWN, '/console')).toBe(404);
    expect(slow).toHaveBeenCalled();
  } finally {
    slow.mockRestore();
  }
});

test('every answer of an https host says that it is https alone, and nothing of names below it', async () => {
  const email = await mine();
  const { page, view } = linksOf(email);
  for (const [host, path] of [
    ...['/console', '/docs', '/v1/health', '/v1/none', '/', page, view].map((each) => ['mail.example.net', each] as const),
    [OWN, page],
    [OWN, '/console'],
  ] as const) {
    const { headers } = await at(host, path);
    expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
  }
});
