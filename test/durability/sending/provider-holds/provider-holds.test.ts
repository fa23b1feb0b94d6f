import { toEmail } from '../../../../src/records/emails/row';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { aPart, made } from '../../../support/platform/platform-parts';
import { storeContacts } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aNameServer } from '../../../support/servers/dns-server';

jest.setTimeout(240_000);

const CONNECTIONS = 2;
const REFUSALS = 5;
/** What docs/delivery.md promises for one worker; there are two. */
const BOUND = 2 * (REFUSALS + 2 * CONNECTIONS);
/** Google takes so many before it refuses. */
const TAKEN = 10;
const [GOOGLE, OTHER] = [120, 80];
const CHECKED_AFTER_MS = 20_000;
const REPLY = '550 5.7.26 This mail has been blocked because the sender is unauthenticated';

const dns = aNameServer();
const platform = aPlatform(() => ({
  env: {
    DNS_SERVERS: dns.address,
    POLICY_REFUSALS: String(REFUSALS),
    SMTP_CONNECTIONS: String(CONNECTIONS),
    LEDGER_CHUNK: '10',
    SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5',
  },
}));
const second = aPart(() => new Part('worker/main.ts', platform.env, 'Worker is ready'));

const people = (size: number, domain: string): string[] => Array.from({ length: size }, (_, n) => `person-${n}@${domain}`);
const [google, others] = [people(GOOGLE, 'gmail.test'), people(OTHER, 'other.test')];
const got = (to: string): boolean => platform.arrived(to).length > 0;

/** One refusal more is a hold, which is checked first after some seconds. */
async function almostHeld(): Promise<void> {
  const { projectId } = platform.keys;
  await stored.providerHolds.collection.insertOne({
    _id: `${projectId}/google`,
    projectId,
    provider: 'google',
    policy: 'authentication',
    reply: REPLY,
    missing: [],
    recent: REFUSALS - 1,
    refused: REFUSALS - 1,
    lastAt: new Date(),
    since: null,
    checks: 0,
    probe: null,
    probeAt: null,
    nextCheckAt: new Date(Date.now() + CHECKED_AFTER_MS),
  });
}

async function killed(worker: Part): Promise<void> {
  await worker.kill9();
  await worker.start();
}

test('a campaign that a provider refuses loses few, though its workers are killed; after the hold everybody who waited gets it once', async () => {
  dns.names.set('gmail.test', { MX: [[10, 'gmail-smtp-in.l.google.com']] });
  dns.names.set('other.test', { MX: [[10, 'mx.other.test']] });
  let [taken, isMended] = [0, false];
  platform.smtp.script = ({ stage, to }) => {
    const isRefused = stage === 'rcpt' && to?.endsWith('@gmail.test') && !isMended && ++taken > TAKEN;
    if (isRefused) return { rcpt: { reply: REPLY } };
    return stage === 'dot' ? { dot: { delayMs: 20 } } : {};
  };
  await storeContacts(
    platform.keys.projectId,
    [...google, ...others].map((email) => [email]),
  );
  await almostHeld();
  const given = { name: 'News', subject: 'News', body: '<p>Hello</p>', fromEmail: 'team@hello.test', audience: 'all' };
  const id = await made(platform.post('/v1/campaigns', given), 'campaignId');
  expect((await platform.post(`/v1/campaigns/${id}/send`, {})).status).toBe(200);
  const campaign = async () => (await platform.get(`/v1/campaigns/${id}`)).body.data;
  const held = async (): Promise<{ remaining: number | null } | undefined> => (await campaign()).heldProviders?.[0];
  await eventually('it is held', held);
  isMended = true;
  await Promise.all([killed(platform.worker), killed(second)]);
  await eventually('all others have it', () => others.every(got));

  // Until the hold is over, nobody new gets it but the one who shows that Google takes mail again.
  let [most, waited] = [0, 0];
  await eventually('Google takes mail again', async () => {
    const there = google.filter(got).length;
    const hold = await held();
    if (!hold) return true;
    most = Math.max(most, there);
    waited = Math.max(waited, hold.remaining ?? 0);
    return false;
  });
  expect(most).toBeLessThanOrEqual(TAKEN + 1);
  expect(waited).toBeGreaterThan(GOOGLE / 4);
  await Promise.all([killed(platform.worker), killed(second)]);

  await eventually('it is sent', async () => (await campaign()).status === 'sent');
  const all = [...google, ...others];
  const rows = await eventually('all are settled', async () => {
    const found = await stored.emails.all({ campaignId: id });
    return found.length === all.length && found.every(({ status }) => status !== 'queued' && status !== 'sending') ? found : null;
  });
  const bounced = rows.flatMap((row) => (row.status === 'bounced' ? toEmail(row).to : []));
  expect(rows.map((row) => toEmail(row).to).sort()).toEqual([...all].sort());
  expect(all.filter((to) => !got(to)).sort()).toEqual(bounced.sort());
  expect(bounced.length).toBeLessThanOrEqual(BOUND);
  for (const to of all) expect([to, new Set(platform.messageIds(to)).size]).toEqual([to, got(to) ? 1 : 0]);
  expect((await stored.suppressions.all({})).length).toBe(0);
});
