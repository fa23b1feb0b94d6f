import { endAllSessions, endSession, listSessions, makeLink } from '../../../../src/records/console-sessions/service';
import { revokeAllKeys } from '../../../../src/records/projects/key-service';
import { readAudit } from '../../../../src/records/audit';
import { aProject } from '../../../support/platform/app';
import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN } });

class Browser extends ConsoleBrowser {
  constructor() {
    super(app.url);
  }
}

const linkToken = async (projectId: string): Promise<string> => (await makeLink(projectId, CONSOLE_ORIGIN)).url.split('#link=')[1] ?? '';

async function signedIn(given: object): Promise<Browser> {
  const browser = new Browser();
  await browser.signIn(given);
  return browser;
}

describe('sessions of a project', () => {
  test('are listed without what opens them, by what they began with, and end one by one or together', async () => {
    const { projectId, secret } = await newProject('Seen');
    const [byLink, byKey] = [await signedIn({ link: await linkToken(projectId) }), await signedIn({ key: secret })];
    const sessions = await listSessions(projectId);
    expect(sessions.map(({ keyPrefix }) => keyPrefix)).toEqual([secret.slice(0, 15), null]);
    expect(JSON.stringify(sessions)).not.toContain(byLink.cookie.split('=')[1]?.split('.')[0]);
    expect(await endSession(sessions[0]?.sessionId ?? '')).toBe(projectId);
    await byKey.ask('get', '/v1/contacts').expect(401);
    await byLink.ask('get', '/v1/contacts').expect(200);
    await expect(endSession(sessions[0]?.sessionId ?? '')).rejects.toMatchObject({ code: 'not_found' });
    const unused = await linkToken(projectId);
    expect(await endAllSessions(projectId)).toBe(1);
    await byLink.ask('get', '/v1/contacts').expect(401);
    expect((await new Browser().signIn({ link: unused })).status).toBe(401);
    expect(await listSessions(projectId)).toEqual([]);
  });

  test('that began with a key are not listed once it is revoked', async () => {
    const { projectId, secret } = await newProject('Revoked');
    await signedIn({ key: secret });
    expect(await revokeAllKeys(projectId)).toBe(3);
    expect(await revokeAllKeys(projectId)).toBe(0);
    expect(await listSessions(projectId)).toEqual([]);
  });
});

test('signing in is in the audit: by the key, or as the session of a link', async () => {
  const { projectId, secret } = await newProject('Audited');
  await signedIn({ link: await linkToken(projectId) });
  await signedIn({ key: secret });
  const subject = expect.stringMatching(/^ses_[0-9a-f]{32}$/) as string;
  expect(await readAudit({ projectId, limit: 10, before: null })).toMatchObject([
    { by: `key ${secret.slice(0, 15)}`, action: 'console.sign-in', subject },
    { by: expect.stringMatching(/^console [0-9a-f]{8}$/) as string, action: 'console.sign-in', subject },
  ]);
});

test('signing in is limited by key and by client, whatever comes of it', async () => {
  const { secret: key } = await newProject('Limited');
  await stored.limits.remove();
  const statuses: number[] = [];
  for (let tries = 0; tries < 61; tries++) statuses.push((await new Browser().signIn({ key })).status);
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
  const others = await Promise.all(Array.from({ length: 70 }, () => new Browser().signIn({ link: 'x' })));
  expect(others.filter(({ status }) => status === 401)).toHaveLength(59);
  const [refused] = others.filter(({ status }) => status === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused?.body).toMatchObject({ code: 'rate_limited' });
  await stored.limits.changeAll({}, { until: new Date(Date.now() - 1) });
  expect((await new Browser().signIn({ key })).status).toBe(200);
});
