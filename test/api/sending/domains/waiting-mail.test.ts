import { claim } from '../../../../src/records/emails/attempts';
import type { Email } from '../../../../src/records/emails/model';
import { toEmail } from '../../../../src/records/emails/row';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { wireMail } from '../../../support/checks/wire';
import { aNameServer } from '../../../support/servers/dns-server';
import { aDomainChecker, addDomain, publish } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { claimOf } from '../../../support/data/claims';
import { storeEmail, storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';

const DAY_MS = 86_400_000;

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address } }));
aDomainChecker(app);
afterEach(() => jest.restoreAllMocks());

const api = () => app.api();

async function verified(): Promise<WireDomain> {
  const domain = await addDomain(api());
  publish(dns, domain, 'ownership', 'dkim');
  await api().post(`/v1/domains/${domain.domainId}/verify`).expect(200);
  return domain;
}

const remove = ({ domainId }: Pick<WireDomain, 'domainId'>) => api().delete(`/v1/domains/${domainId}`);
/** With the mail that waits to be sent from it. */
const removeAll = ({ domainId }: WireDomain) => api().delete(`/v1/domains/${domainId}?cancelWaiting=true`);

const MAIL = { to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>' };

async function accepted(from: string, more: object = {}): Promise<Email> {
  const { body } = await api()
    .post('/v1/send')
    .send({ ...MAIL, from, ...more })
    .expect(200);
  return toEmail(await stored.emails.get(body.data.results[0].id as string));
}

const campaignFrom = async (domain: string): Promise<string> => {
  const draft = { name: 'News', subject: 'News', body: '<p>News</p>', fromEmail: `team@${domain}` };
  return (await api().post('/v1/campaigns').send(draft).expect(201)).body.data.campaignId as string;
};
const act = (id: string, name: string, body: object = {}) => api().post(`/v1/campaigns/${id}/${name}`).send(body);

const DAY_AHEAD = () => new Date(Date.now() + DAY_MS).toISOString();
/** Lets the last look at a domain be forgotten. */
const aMomentLater = (): void => {
  const clock = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => clock() + 2_000);
};
const used = async (): Promise<number> => (await api().get('/v1/billing').expect(200)).body.data.used as number;

test('mail that waits keeps its domain: scheduled, due, and put off, and the answer says how many', async () => {
  const domain = await verified();
  const from = `team@${domain.domain}`;
  await accepted(from, { sendAt: DAY_AHEAD() });
  const refused = await remove(domain).expect(409);
  expect([refused.body.code, refused.body.error]).toEqual(['in_use', expect.stringMatching(/^1 message waits/)]);
  await accepted(from);
  const { _id } = await accepted(from);
  await stored.emails.change(_id, { attempts: 1, dueAt: new Date(Date.now() + 60_000), error: '450 4.2.0 Later' });
  expect((await remove(domain).expect(409)).body.error).toMatch(/^3 messages wait/);
  await remove({ ...domain, domainId: 'dom_unknown' }).expect(404);
});

test('mail that waits keeps no other domain: of a name that ends alike, of another project, of a test, or over', async () => {
  const domain = await verified();
  await storeEmail(app.keys.projectId, { fromEmail: `a@sub.${domain.domain}`, dueAt: new Date() });
  await storeEmail(app.keys.projectId, { fromEmail: `a@x${domain.domain}`, dueAt: new Date() });
  await storeEmail(app.otherKeys.projectId, { fromEmail: `a@${domain.domain}`, dueAt: new Date() });
  await storeEmail(app.keys.projectId, { fromEmail: `a@${domain.domain}`, dueAt: new Date(), testMode: true });
  await storeEmail(app.keys.projectId, { fromEmail: `a@${domain.domain}`, status: 'delivered', sentAt: new Date() });
  expect((await remove(domain)).status).toBe(200);
});

test('mail that waits is cancelled with its domain where that is asked for, and credits are given back', async () => {
  const domain = await verified();
  const from = `team@${domain.domain}`;
  const before = await used();
  const emails = [await accepted(from, { sendAt: DAY_AHEAD() }), await accepted(from), await accepted(from, { sendAt: DAY_AHEAD() })];
  expect(await used()).toBe(before + 3);
  await removeAll(domain).expect(200);
  expect(await used()).toBe(before);
  for (const { _id } of emails) {
    const { body } = await api().get(`/v1/emails/${_id}`).expect(200);
    expect(body.data).toMatchObject({ status: 'cancelled', error: 'domain_removed' });
    const events = await api().get('/v1/events?name=email.cancelled&limit=100').expect(200);
    expect(events.body.data).toContainEqual(
      expect.objectContaining({ emailId: _id, data: { source: 'transactional', reason: 'domain_removed' } }),
    );
  }
  expect((await api().get('/v1/emails?status=scheduled').expect(200)).body.data).not.toContainEqual(
    expect.objectContaining({ fromEmail: from }),
  );
});

test('mail that waits is not cancelled while a campaign keeps the domain, and more than one transaction’s worth is', async () => {
  const domain = await verified();
  const from = `team@${domain.domain}`;
  const many = Array.from({ length: 1_100 }, () => ({ fromEmail: from, dueAt: new Date(Date.now() + DAY_MS) }));
  await storeEmails(app.keys.projectId, ...many);
  const id = await campaignFrom(domain.domain);
  await act(id, 'send', { scheduledFor: DAY_AHEAD() }).expect(200);
  expect((await removeAll(domain).expect(409)).body.error).toContain('News');
  expect(await stored.emails.count({ fromEmail: from, status: 'queued' })).toBe(1_100);
  await act(id, 'cancel').expect(200);
  await removeAll(domain).expect(200);
  expect(await stored.emails.count({ fromEmail: from, status: 'cancelled', error: 'domain_removed' })).toBe(1_100);
});

test('mail that waits fails when its domain is gone, was withdrawn, or belongs to another project, and is never unsigned', async () => {
  const domain = await verified();
  const email = await accepted(`team@${domain.domain}`);
  const says = new RegExp(`unverified_domain: ${domain.domain} `);
  await stored.domains.change(domain.domainId, { status: 'failed' });
  aMomentLater();
  await expect(wireMail(app.core, email)).rejects.toThrow(says);
  jest.restoreAllMocks();
  await stored.domains.change(domain.domainId, { status: 'verified', projectId: app.otherKeys.projectId });
  aMomentLater();
  await expect(wireMail(app.core, email)).rejects.toThrow(says);
  await expect(wireMail(app.core, { ...email, to: 'delivered@simulator.lettermill.test' })).rejects.toThrow(says);
});

test('of scheduling a message and removing its domain at the same time, one is refused', async () => {
  for (let round = 0; round < 6; round++) {
    const domain = await verified();
    const message = { ...MAIL, from: `team@${domain.domain}`, sendAt: DAY_AHEAD() };
    const single = round % 2 === 0;
    const [removed, sent] = await Promise.all([
      remove(domain),
      single
        ? api().post('/v1/send').send(message)
        : api()
            .post('/v1/send/batch')
            .send({ messages: [message, { ...message, to: 'bob@example.com' }] }),
    ]);
    const outcome = [removed.status, JSON.stringify(sent.body).includes('unverified_domain')];
    expect([
      [409, false],
      [200, true],
    ]).toContainEqual(outcome);
  }
});

test('mail that waits either goes out or is cancelled when its domain is removed as a worker takes it up', async () => {
  for (let round = 0; round < 5; round++) {
    const domain = await verified();
    const emails = await storeEmails(
      app.keys.projectId,
      ...Array.from({ length: 10 }, () => ({ fromEmail: `a@${domain.domain}`, dueAt: new Date(Date.now() - 1_000) })),
    );
    const ids = emails.map(({ _id }) => _id);
    const attempt = { id: newId('att'), worker: 'wrk', at: new Date() };
    const [claimed] = await Promise.all([claim(claimOf(emails.slice(0, 5), attempt)), removeAll(domain).expect(200)]);
    for (const id of ids) expect((await stored.emails.one(id))?.status).toBe(claimed.has(id) ? 'sending' : 'cancelled');
  }
});

test('mail that waits is counted by an index', async () => {
  const domain = await verified();
  await accepted(`team@${domain.domain}`, { sendAt: DAY_AHEAD() });
  const plans = await queryPlans('emails', () => remove(domain).expect(409));
  for (const { plan } of plans) expect(plan).toMatch(/IXSCAN .*dueAt/);
});
