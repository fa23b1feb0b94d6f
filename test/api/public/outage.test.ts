import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type net from 'node:net';
import mongoose from 'mongoose';
import request from 'supertest';
import type { Response } from 'supertest';
import { createApp } from '../../../api/app';
import type { Core } from '../../../src/platform/core/context';
import type { Email } from '../../../src/records/emails/model';
import { clickUrl } from '../../../src/records/emails/click-links';
import { openPixelUrl } from '../../../src/records/emails/urls';
import { disconnectMongo } from '../../../src/platform/mongo/connect';
import { allWell, testCore } from '../../support/platform/app';
import { storeEmail } from '../../support/data/email-rows';
import { Line } from '../../support/servers/line';
import { eventually } from '../../support/platform/platform';
import { connectEmptied, testDatabase } from '../../support/run/database';
import { testMongoUri } from '../../support/run/servers';
import { publicUrls } from '../../support/calls/public-urls';
import { stored } from '../../support/data/stored';
import { newProject } from '../../support/data/projects';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const LINK = 'https://example.com/';
/** Beyond the promised 300 ms, for a machine that is busy with other tests. */
const PROMPT_MS = 4_000;

let line: Line;
let port: number;
let server: Server;
let url: string;
let core: Core;
let projectId: string;
let ready = true;
const lines: string[] = [];

beforeAll(async () => {
  const { hostname, port: mongoPort } = new URL(testMongoUri('outage'));
  line = new Line({ host: hostname, port: Number(mongoPort) });
  port = await line.listen();
  mongoose.set('bufferCommands', false);
  await connectEmptied(`mongodb://127.0.0.1:${port}/${testDatabase()}?directConnection=true`);
  ({ projectId } = await newProject('Default'));
  core = testCore({ log: (text) => lines.push(text) });
  server = createServer(
    createApp({ core, health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), probe: allWell, ready: () => ready }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await disconnectMongo();
  await line.goAway();
});

const delivered = (): Promise<Email> => storeEmail(projectId, { status: 'delivered', type: 'marketing' });

const pathOf = (whole: string): string => whole.slice(core.config.PUBLIC_URL.length);
const call = (method: 'get' | 'post', path: string) =>
  request(url)[method](path).redirects(0).set({ 'User-Agent': BROWSER, Accept: 'text/html,*/*;q=0.8' });

async function timed(answer: PromiseLike<Response>): Promise<{ readonly response: Response; readonly ms: number }> {
  const begun = performance.now();
  const response = await answer;
  return { response, ms: performance.now() - begun };
}

async function expectPixelAndLinkWork(email: Email): Promise<void> {
  const pixel = await timed(call('get', pathOf(openPixelUrl(core, email))));
  expect([pixel.response.status, (pixel.response.body as Buffer).length]).toEqual([200, 43]);
  expect(pixel.ms).toBeLessThan(PROMPT_MS);
  const link = await timed(call('get', pathOf(clickUrl(core, email, LINK))));
  expect([link.response.status, link.response.headers.location]).toEqual([302, LINK]);
  expect(link.ms).toBeLessThan(PROMPT_MS);
}

const isCounted = (email: Email) =>
  eventually('opens are counted again', async () => {
    await call('get', pathOf(openPixelUrl(core, email)));
    return ((await stored.emails.one(email._id))?.opens ?? 0) > 0;
  });

test('links work before the database was ever there, and pages say to try again', async () => {
  ready = false;
  try {
    const { _id } = await delivered();
    await expectPixelAndLinkWork({ _id } as Email);
    const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(core, _id);
    for (const [method, path] of [
      ['get', unsubscribeUrl] as const,
      ['post', unsubscribeUrl] as const,
      ['get', viewInBrowserUrl] as const,
    ]) {
      const { status, headers, text } = await call(method, pathOf(path));
      expect([status, headers['retry-after']]).toEqual([503, '2']);
      expect(text).toContain('Try again in a moment');
    }
    expect((await call('get', '/u/forged')).status).toBe(404);
  } finally {
    ready = true;
  }
});

test('when the database is away, no reader waits for a picture or a link, opt-outs are refused whole, and all goes on afterwards', async () => {
  const email = await delivered();
  const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(core, email._id);
  await line.goAway();
  await expectPixelAndLinkWork(email);
  const answers = await Promise.all([
    call('post', pathOf(unsubscribeUrl)),
    call('get', pathOf(unsubscribeUrl)),
    call('get', pathOf(viewInBrowserUrl)),
  ]);
  for (const { status, text } of answers) {
    expect(status).toBe(503);
    expect(text).toContain('Try again in a moment');
  }
  await eventually('the loss is in the log', () => lines.some((text) => text.includes('A hit was not recorded')));
  expect(lines.join('')).not.toContain(email.to);

  await line.listen(port);
  await isCounted(email);
  expect(await stored.suppressions.count({ email: email.to })).toBe(0);
  expect(await stored.events.count({ emailId: email._id, name: 'email.unsubscribed' })).toBe(0);
  expect((await call('post', pathOf(unsubscribeUrl))).status).toBe(200);
  expect(await stored.suppressions.count({ email: email.to })).toBe(1);
});

test('when the database is silent, no reader waits for a picture or a link', async () => {
  const email = await delivered();
  line.goSilent();
  await expectPixelAndLinkWork(email);
  line.hangUp();
  await isCounted(email);
  expect((await stored.emails.one(email._id))?.status).toMatch(/^(opened|clicked)$/);
});
