import { campaignWorkflowId } from '../../../../src/contracts/campaign';
import type { Intent } from '../../../../src/contracts/processes';
import type { CampaignRecipient } from '../../../../src/marketing/campaigns/model';
import { checkProviders } from '../../../../src/marketing/campaigns/providers';
import { finishCampaign } from '../../../../src/marketing/campaigns/finish';
import { releaseHolds } from '../../../../src/sending/provider-holds/note';
import { watchOf } from '../../../../src/sending/provider-holds/hold-back';
import { toEmail } from '../../../../src/records/emails/row';
import { leaveOut } from '../../../../src/sending/deliver/recheck';
import { aDomainChecker, addDomain, domainCalls, publish, say } from '../../../support/calls/domains';
import { claimCalls } from '../../../support/calls/campaign-claims';
import { campaignCalls, storeSegment } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aNameServer } from '../../../support/servers/dns-server';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const CONNECTIONS = 4;
const REFUSALS = 5;
/** What docs/delivery.md promises for one worker. */
const BOUND = REFUSALS + 2 * CONNECTIONS;

const smtp = aMailServer();
const dns = aNameServer();
const app = aProject(() => ({
  config: {
    DNS_SERVERS: dns.address,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    LEDGER_CHUNK: '20',
    SMTP_CONNECTIONS: String(CONNECTIONS),
    POLICY_REFUSALS: String(REFUSALS),
  },
}));
aDomainChecker(app);
const host = aDeliveryHost(app);
const { act, api, contact, draft, freeze, get } = campaignCalls(() => app);
const { page } = campaignPages(
  () => app,
  () => host,
);
const { verify } = domainCalls(() => app);
const { claimed, takeOver } = claimCalls(() => app);

const REPLY = '550 5.7.26 This mail has been blocked because the sender is unauthenticated';
let accepts = Number.POSITIVE_INFINITY;

beforeAll(() => {
  dns.names.set('gmail.test', { MX: [[10, 'gmail-smtp-in.l.google.com']] });
  dns.names.set('workspace.test', { MX: [[10, 'aspmx.l.google.com']] });
  dns.names.set('other.test', { MX: [[10, 'mx.other.test']] });
  smtp.script = ({ stage, to }) => (stage === 'dot' && isGoogle(to ?? '') && accepts-- <= 0 ? { dot: { reply: REPLY } } : {});
});
afterEach(async () => {
  await releaseHolds(app.keys.projectId);
  await watchOf(app.core).learn();
  accepts = Number.POSITIVE_INFINITY;
  smtp.messages.length = 0;
});

const isGoogle = (to: string): boolean => /@(gmail|workspace)\.test$/.test(to);
let people = 0;
/** A frozen campaign to `google` and `other` people, from a domain of its own. */
async function launched(google: number, other: number) {
  const domain = await addDomain(api());
  publish(dns, domain);
  await verify(domain);
  const addresses = [
    ...Array.from({ length: google }, (_, n) => `g${++people}@${n % 2 === 0 ? 'gmail' : 'workspace'}.test`),
    ...Array.from({ length: other }, () => `o${++people}@other.test`),
  ];
  const ids = await Promise.all(addresses.map((email) => contact(email)));
  const segmentId = await storeSegment(app.keys.projectId, ids);
  const { campaignId } = await draft({ audience: 'segment', segmentId, fromEmail: `team@${domain.domain}` });
  await act(campaignId, 'send').expect(200);
  await freeze(campaignId);
  return { campaignId, domain };
}

/** One look at the whole audience, and the end of it, as the workflow does both. */
async function look(campaignId: string) {
  const refused: Record<string, number> = {};
  for (;;) {
    const result = await page(campaignId);
    for (const [provider, count] of Object.entries(result.refused ?? {})) refused[provider] = (refused[provider] ?? 0) + count;
    if (result.done) break;
  }
  const isHeld = Object.keys(refused).length > 0;
  const key = { campaignId, projectId: app.keys.projectId };
  return finishCampaign(app.core, { ...key, now: Date.now(), cancelled: false, ...(isHeld && { refused }) }, () => undefined);
}

/** The workflow's check, so many minutes from now. */
const check = (campaignId: string, minutes: number) =>
  checkProviders(app.core, { campaignId, projectId: app.keys.projectId }, Date.now() + minutes * 60_000);
const arrived = (of: (to: string) => boolean): readonly string[] => smtp.messages.map(({ to }) => to).filter(of);
const bounced = (campaignId: string): Promise<number> => stored.emails.count({ campaignId, status: 'bounced' });

test('a provider that begins to refuse stops its own part only, and after the DNS is mended the rest arrives once', async () => {
  const { campaignId, domain } = await launched(120, 60);
  say(dns, domain, 'dkim');
  accepts = 10;

  const { pending } = await look(campaignId);

  expect(arrived((to) => to.endsWith('@other.test'))).toHaveLength(60);
  const lost = await bounced(campaignId);
  expect(lost).toBeGreaterThanOrEqual(REFUSALS);
  expect(lost).toBeLessThanOrEqual(BOUND);
  const deferred = await stored.emails.count({ campaignId, status: 'queued' });
  expect(pending).toBe(120 - 10 - lost - deferred);
  // Refused for the sender's sake: nobody is suppressed for it.
  expect((await api().get('/v1/suppressions').expect(200)).body.data).toEqual([]);
  const held = await get(campaignId);
  expect(held).toMatchObject({ status: 'sending', heldReason: 'provider_refuses' });
  expect(held['bounced']).toBe(lost);
  expect(held['heldProviders']).toEqual([
    {
      provider: 'google',
      refused: lost,
      remaining: pending,
      since: expect.any(String),
      nextCheckAt: expect.any(String),
      reply: expect.stringContaining('5.7.26'),
      how: expect.stringContaining('DKIM'),
    },
  ]);

  // What was deferred when the hold began is not tried meanwhile.
  const waiting = await stored.emails.all({ campaignId, status: 'queued' });
  expect(await leaveOut(app.core, waiting.map(toEmail), new Date())).toMatchObject({ wanted: [] });

  // The check finds that DKIM is missing, and sends nothing.
  expect((await check(campaignId, 6)).nextAt).not.toBeNull();
  expect((await get(campaignId))['heldProviders']).toMatchObject([{ how: expect.stringContaining('_domainkey') }]);
  expect(await look(campaignId)).toMatchObject({ pending });

  // DNS is mended, and Google still refuses: a probe is lost, and only it.
  publish(dns, domain, 'dkim');
  expect(await check(campaignId, 60)).toEqual({ nextAt: null });
  expect(await look(campaignId)).toMatchObject({ pending: pending - 1 });
  expect(await bounced(campaignId)).toBe(lost + 1);
  expect((await check(campaignId, 61)).nextAt).not.toBeNull();

  // It takes the next one, so the rest follows.
  accepts = Number.POSITIVE_INFINITY;
  expect(await check(campaignId, 180)).toEqual({ nextAt: null });
  expect(await look(campaignId)).toMatchObject({ pending: pending - 2 });
  expect(await check(campaignId, 181)).toEqual({ nextAt: null });
  expect(await look(campaignId)).toMatchObject({ pending: 0 });
  expect(await get(campaignId)).toMatchObject({ status: 'sent', heldReason: null });
  expect(await get(campaignId)).not.toHaveProperty('heldProviders');
  const took = arrived(isGoogle);
  expect(new Set(took).size).toBe(took.length);
  expect(took).toHaveLength(120 - deferred - lost - 1);
  // The pump tries what was deferred.
  expect((await leaveOut(app.core, waiting.map(toEmail), new Date())).wanted).toHaveLength(deferred);
});

test('a person who resumes ends the hold for all campaigns; the sums of a campaign that is cancelled instead hold', async () => {
  const first = await launched(40, 5);
  accepts = 0;
  await look(first.campaignId);
  const second = await launched(10, 10);
  const before = await bounced(second.campaignId);
  expect(before).toBe(0);

  // A campaign that begins later is held too, before it loses anything.
  expect(await look(second.campaignId)).toMatchObject({ pending: 10, sent: 10 });
  expect(await bounced(second.campaignId)).toBe(0);

  accepts = Number.POSITIVE_INFINITY;
  const { body } = await act(first.campaignId, 'resume').expect(200);
  expect(body.data).toMatchObject({ status: 'sending', heldReason: null });
  const woken = (app.processes.signal.mock.calls as [Intent][]).map(([{ workflowId }]) => workflowId);
  expect(woken).toEqual(expect.arrayContaining([first.campaignId, second.campaignId].map(campaignWorkflowId)));
  expect(await look(second.campaignId)).toMatchObject({ pending: 0, sent: 20 });
  // Nothing is held any more.
  await act(first.campaignId, 'resume').expect(409);

  await act(first.campaignId, 'cancel').expect(200);
  const ended = await get(first.campaignId);
  expect(Number(ended['sent']) + Number(ended['skipped'])).toBe(45);
});

describe('a worker that is lost with the probe', () => {
  const holdOf = (): string => `${app.keys.projectId}/google`;

  /** A campaign that is held for Google, which takes mail again, and a recipient of it whose message is the probe since a minute. */
  async function probed() {
    const { campaignId } = await launched(60, 0);
    accepts = 0;
    await look(campaignId);
    const lost = await bounced(campaignId);
    accepts = Number.POSITIVE_INFINITY;
    expect(await check(campaignId, 6)).toEqual({ nextAt: null });
    const deferred = await stored.emails.all({ campaignId, status: 'queued' });
    const begun = new Set((await stored.emails.all({ campaignId })).map(({ _id }) => _id));
    const probe = (await stored.recipients.all({ campaignId })).find(({ emailId }) => !begun.has(emailId)) as CampaignRecipient;
    await stored.providerHolds.change(holdOf(), { probe: probe.emailId, probeAt: new Date() });
    expect((await check(campaignId, 7)).nextAt).not.toBeNull();
    await stored.providerHolds.change(holdOf(), { probeAt: new Date(Date.now() - 61_000) });
    return { campaignId, probe, deferred, lost };
  }

  test('before its message began, and its recipient has left: another message takes its place', async () => {
    const { campaignId, probe, deferred, lost } = await probed();
    await stored.contacts.change(probe.contactId, { subscribed: false });
    expect(await check(campaignId, 8)).toEqual({ nextAt: null });
    await look(campaignId);
    expect(arrived(isGoogle)).toHaveLength(1);
    expect(await check(campaignId, 9)).toEqual({ nextAt: null });
    expect(await look(campaignId)).toMatchObject({ pending: 0 });
    const took = arrived(isGoogle);
    expect([took.length, new Set(took).size]).toEqual(Array(2).fill(60 - lost - deferred.length - 1));
  });

  test('with its message on the wire: nobody else is tried, and its next attempt ends the hold', async () => {
    const { campaignId, probe, deferred } = await probed();
    await claimed(campaignId, true, [probe]);
    expect((await check(campaignId, 8)).nextAt).not.toBeNull();
    await takeOver();
    await look(campaignId);
    expect(arrived(isGoogle)).toEqual([]);
    const row = await stored.emails.get(probe.emailId);
    const { wanted } = await leaveOut(app.core, [row, ...deferred].map(toEmail), new Date());
    expect(wanted.map(({ _id }) => _id)).toEqual([probe.emailId]);
    await stored.emails.change(probe.emailId, { status: 'delivered', sentAt: new Date() });
    expect(await check(campaignId, 60)).toEqual({ nextAt: null });
    expect(await look(campaignId)).toMatchObject({ pending: 0 });
  });
});

test('a campaign in test mode is held for nobody', async () => {
  const { campaignId } = await launched(60, 0);
  accepts = 0;
  await look(campaignId);
  expect(await get(campaignId)).toMatchObject({ heldReason: 'provider_refuses' });
  await stored.campaigns.change({ _id: campaignId }, { $set: { testMode: true } });
  expect(await get(campaignId)).not.toHaveProperty('heldProviders');
  await act(campaignId, 'resume').expect(409);
});
