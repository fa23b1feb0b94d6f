import { sweepOutbox } from '../../../../src/platform/outbox';
import { wireMail } from '../../../support/checks/wire';
import { checkInBackground } from '../../../../src/sending/domains/request';
import { dkimKeyFor } from '../../../../src/sending/domains/lookups';
import { DomainModel } from '../../../../src/sending/domains/model';
import type { Email } from '../../../../src/records/emails/model';
import { toEmail } from '../../../../src/records/emails/row';
import { aProject } from '../../../support/platform/app';
import { chain, send as sendNode } from '../../../support/calls/automations';
import { largestAnswer } from '../../../support/checks/query-plans';
import { dkimVerifies } from '../../../support/checks/dkim-verifier';
import { aNameServer } from '../../../support/servers/dns-server';
import { aDomainChecker, addDomain, publish, say } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { stored } from '../../../support/data/stored';

const DAY_MS = 86_400_000;

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address, PUBLIC_URL: 'https://mail.example.net:8443/base' } }));
aDomainChecker(app);
afterEach(() => jest.restoreAllMocks());

const api = () => app.api();

async function verified(...purposes: readonly string[]): Promise<WireDomain> {
  const domain = await addDomain(api());
  publish(dns, domain, ...(purposes.length > 0 ? ['ownership', 'dkim', ...purposes] : []));
  await api().post(`/v1/domains/${domain.domainId}/verify`).expect(200);
  return domain;
}

const remove = ({ domainId }: WireDomain) => api().delete(`/v1/domains/${domainId}`);
/** With the mail that waits to be sent from it. */
const removeAll = ({ domainId }: WireDomain) => api().delete(`/v1/domains/${domainId}?cancelWaiting=true`);
const check = ({ domainId }: WireDomain) => checkInBackground(app.core, { domainId, projectId: app.keys.projectId, now: Date.now() });

const MAIL = { to: 'ada@example.com', subject: 'Hello', html: '<p><a href="https://example.com/a">A</a> {{viewInBrowserUrl}}</p>' };
const send = (from: string | undefined, more: object = {}) =>
  api()
    .post('/v1/send')
    .send({ ...MAIL, ...(from && { from }), ...more });

async function accepted(from: string, more: object = {}): Promise<Email> {
  const { body } = await send(from, more).expect(200);
  return toEmail(await stored.emails.get(body.data.results[0].id as string));
}

/** Quoted-printable undone. */
const readable = (mail: string): string => mail.replace(/=\r\n/g, '').replace(/=3D/g, '=');

describe('sending', () => {
  test('from a domain from the moment on when it is verified until it is removed, in every process', async () => {
    const domain = await addDomain(api());
    const from = `team@${domain.domain}`;
    expect((await send(from).expect(422)).body.details[0].code).toBe('unverified_domain');
    publish(dns, domain, 'ownership', 'dkim');
    await api().post(`/v1/domains/${domain.domainId}/verify`).expect(200);
    await send(from).expect(200);
    await send(`team@sub.${domain.domain}`).expect(422);
    await removeAll(domain).expect(200);
    expect((await send(from).expect(422)).body.details[0].code).toBe('unverified_domain');
  });

  test('a message is signed with the key of its domain, and names the domain’s own hosts', async () => {
    const { domain } = await verified();
    const email = await accepted(`team@${domain}`, { type: 'marketing' });
    const { envelope, message } = await wireMail(app.core, email);
    expect(envelope.from).toMatch(new RegExp(`^b\\+[0-9a-z.]+@bounce\\.${domain}$`));
    expect(await dkimVerifies(Buffer.from(message, 'latin1'))).toBe(true);
    const text = readable(message);
    const base = `https://track.${domain}:8443/base`;
    for (const path of ['/t/c/', '/t/o/', '/u/', '/v/']) expect(text).toContain(base + path);
    expect(text.replace(/\r\n\s+/g, ' ')).toMatch(
      new RegExp(`List-Unsubscribe: <${base}/u/[^>]+>, <mailto:u\\+[^>]+@bounce\\.lettermill\\.test`),
    );
    expect(text).not.toContain('mail.example.net');
    const link = /\/v\/[0-9a-z.]+/.exec(text)?.[0] ?? '';
    await app.api(null).get(link).set('Host', `track.${domain}`).expect(200);
  });

  test('each host is used where its own records are there', async () => {
    const { domain } = await verified('tracking');
    const { envelope, message } = await wireMail(app.core, await accepted(`team@${domain}`));
    expect(envelope.from).toMatch(/@bounce\.lettermill\.test$/);
    expect(readable(message)).toContain(`https://track.${domain}:8443/base/t/c/`);
    const plain = await verified('mailfrom');
    const other = await wireMail(app.core, await accepted(`team@${plain.domain}`));
    expect(other.envelope.from.endsWith(`@bounce.${plain.domain}`)).toBe(true);
    expect(readable(other.message)).toContain('https://mail.example.net:8443/base/t/c/');
  });

  test('a message keeps what it was accepted with; the next one goes by what is there', async () => {
    const domain = await verified();
    const from = `team@${domain.domain}`;
    const email = await accepted(from);
    const first = await wireMail(app.core, email);
    say(dns, domain, 'tracking');
    say(dns, domain, 'mailfrom');
    await check(domain);
    expect(await wireMail(app.core, email)).toEqual(first);
    const next = await accepted(from);
    expect([next.trackingHost, next.bounceDomain]).toEqual([undefined, undefined]);
    publish(dns, domain);
    await check(domain);
    expect((await accepted(from)).trackingHost).toBe(`track.${domain.domain}`);
  });

  test('the key is read anew after seconds; while the database is away, the last one goes on', async () => {
    const domain = await verified('dmarc');
    let later = 0;
    const clock = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => clock() + later);
    const ask = () => {
      later += 10_000;
      return dkimKeyFor(app.core, app.keys.projectId, domain.domain);
    };
    const key = await ask();
    expect(key?.selector).toBe(domain.selector);
    const reading = jest.spyOn(DomainModel, 'findOne').mockImplementation(() => {
      throw new Error('The database cannot be reached');
    });
    expect(await ask()).toBe(key);
    reading.mockRestore();
    await remove(domain).expect(200);
    expect(await ask()).toBeNull();
    const again = await addDomain(api(), domain.domain);
    expect(await ask()).toBeNull();
    publish(dns, again, 'ownership', 'dkim');
    await api().post(`/v1/domains/${again.domainId}/verify`).expect(200);
    expect((await ask())?.selector).toBe(again.selector);
  });

  test('without `from`, the first verified domain is the sender', async () => {
    const [first] = await stored.domains.all({ projectId: app.keys.projectId, status: 'verified' }, { verifiedAt: 1 });
    const { body } = await send(undefined).expect(200);
    const email = await stored.emails.one(body.data.results[0].id as string);
    expect(email?.fromEmail).toBe(`hello@${first?.domain}`);
  });
});

const campaignFrom = async (domain: string): Promise<string> => {
  const draft = { name: 'News', subject: 'News', body: '<p>News</p>', fromEmail: `team@${domain}` };
  return (await api().post('/v1/campaigns').send(draft).expect(201)).body.data.campaignId as string;
};
const act = (id: string, name: string, body: object = {}) => api().post(`/v1/campaigns/${id}/${name}`).send(body);

const automationFrom = async (config: object): Promise<string> => {
  const graph = chain(sendNode('mail', config as never));
  return (await api().post('/v1/workflows').send({ name: 'Welcome', trigger: 'event:signup', graph }).expect(201)).body.data
    .workflowId as string;
};
const become = (id: string, status: string) => api().patch(`/v1/workflows/${id}`).send({ status });

describe('removing', () => {
  test('deletes the key and signals its workflow; the name may be added again, with another key', async () => {
    const domain = await verified();
    app.processes.signal.mockClear();
    expect((await remove(domain).expect(200)).body).toEqual({ success: true, data: { success: true } });
    expect(app.processes.signal).toHaveBeenCalledWith(expect.objectContaining({ workflowId: `domain/${domain.domainId}` }));
    await remove(domain).expect(404);
    await api().get(`/v1/domains/${domain.domainId}`).expect(404);
    await api().post(`/v1/domains/${domain.domainId}/verify`).expect(404);
    const again = await addDomain(api(), domain.domain);
    expect(again.selector).not.toBe(domain.selector);
    expect(await check(domain)).toBeNull();
  });

  test('not while a scheduled or sending campaign sends from it', async () => {
    const domain = await verified();
    const id = await campaignFrom(domain.domain);
    const scheduledFor = new Date(Date.now() + DAY_MS).toISOString();
    await act(id, 'send', { scheduledFor }).expect(200);
    const refused = await remove(domain).expect(409);
    expect([refused.body.code, refused.body.error]).toEqual(['in_use', expect.stringContaining('News')]);
    await act(id, 'cancel').expect(200);
    await act(await campaignFrom(domain.domain), 'send').expect(200);
    expect((await remove(domain).expect(409)).body.code).toBe('in_use');
  });

  test('drafts and cancelled campaigns do not keep it', async () => {
    const domain = await verified();
    await campaignFrom(domain.domain);
    const id = await campaignFrom(domain.domain);
    await act(id, 'send', { scheduledFor: new Date(Date.now() + DAY_MS).toISOString() }).expect(200);
    await act(id, 'cancel').expect(200);
    expect((await remove(domain)).status).toBe(200);
  });

  test('not while an active workflow sends from it, by its graph or by a template', async () => {
    const domain = await verified();
    const fromEmail = `team@${domain.domain}`;
    const template = await api().post('/v1/templates').send({ name: 'T', subject: 'S', body: '<p>B</p>', fromEmail }).expect(201);
    const inline = await automationFrom({ fromEmail });
    const graph = chain({ id: 'mail', type: 'send_email', config: { templateId: template.body.data.templateId as string } });
    const automation = (await api().post('/v1/workflows').send({ name: 'By template', trigger: 'event:signup', graph }).expect(201)).body
      .data;
    for (const id of [inline, automation.workflowId as string]) {
      await become(id, 'active').expect(200);
      expect((await remove(domain).expect(409)).body.code).toBe('in_use');
      await become(id, 'paused').expect(200);
    }
    await remove(domain).expect(200);
    expect((await become(inline, 'active').expect(422)).body.details[0].path).toBe('graph.nodes.1.config.fromEmail');
  });

  test('reads no contents of the templates that workflows send', async () => {
    const domain = await verified();
    const content = { name: 'T', subject: 'S', body: '<p>B</p>'.repeat(60_000), fromEmail: `team@${domain.domain}` };
    const template = await api().post('/v1/templates').send(content).expect(201);
    const graph = chain({ id: 'mail', type: 'send_email', config: { templateId: template.body.data.templateId as string } });
    const draft = await api().post('/v1/workflows').send({ name: 'W', trigger: 'event:signup', graph }).expect(201);
    const id = draft.body.data.workflowId as string;
    await become(id, 'active').expect(200);
    expect(await largestAnswer('templates', () => remove(domain).expect(409))).toBeLessThan(1_000);
    await become(id, 'paused').expect(200);
    await remove(domain).expect(200);
  });

  test('of removing it and beginning to send from it at the same time, one is refused', async () => {
    for (let round = 0; round < 8; round++) {
      const domain = await verified('dmarc');
      const begin =
        round % 2 === 0
          ? act(await campaignFrom(domain.domain), 'send', { scheduledFor: new Date(Date.now() + DAY_MS).toISOString() })
          : become(await automationFrom({ fromEmail: `team@${domain.domain}` }), 'active');
      const [removed, begun] = await Promise.all([remove(domain), begin]);
      expect([
        [200, 422],
        [409, 200],
      ]).toContainEqual([removed.status, begun.status]);
    }
  });

  test('a domain that was removed while Temporal was away has no workflow in the end', async () => {
    app.processes.start.mockRejectedValueOnce(new Error('away'));
    const domain = await addDomain(api());
    await remove(domain).expect(200);
    app.processes.start.mockClear();
    await sweepOutbox(app.core, new Date(Date.now() + 60_000));
    expect(app.processes.start).toHaveBeenCalledWith(expect.objectContaining({ workflowId: `domain/${domain.domainId}` }));
    expect(await check(domain)).toBeNull();
  });
});
