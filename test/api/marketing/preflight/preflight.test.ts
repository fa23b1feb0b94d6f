import { campaignCalls } from '../../../support/calls/campaigns';
import { aDomainChecker, say } from '../../../support/calls/domains';
import { checksIn, preflightCalls } from '../../../support/calls/preflight';
import type { WireCheck } from '../../../support/calls/preflight';
import { insertPeople } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address, DEV_VERIFIED_DOMAINS: 'hello.test' } }));
aDomainChecker(app);

const { draft, act, get, contact } = campaignCalls(() => app);
const { checksOf, checkOf, verified, sentTo } = preflightCalls(() => app);

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.emails.remove(), stored.deliveryCounts.remove(), stored.audit.remove()]);
});

describe('the list', () => {
  test('has every check once, with its level, what was found and what to do', async () => {
    await contact('ada@example.com', { firstName: 'Ada' });
    const { campaignId } = await draft();
    const { body } = await app.api().get(`/v1/campaigns/${campaignId}/preflight`).expect(200);
    const { checks, ...rest } = body.data;
    expect(rest).toEqual({ campaignId, blocking: false, asOf: expect.any(String) });
    expect((checks as WireCheck[]).map(({ check, level }) => `${check} ${level}`)).toEqual([
      'sending_domain ok',
      'dmarc warn',
      'one_click_unsubscribe ok',
      'complaint_rate ok',
      'audience ok',
      'volume ok',
      'placeholders ok',
      'subject ok',
      'postal_address warn',
      'unsubscribe_link ok',
      'links ok',
      'images ok',
      'text ok',
      'size ok',
      'client_support ok',
      'spam_words ok',
    ]);
    for (const { check, level, what, how, detail, ...more } of checks as WireCheck[]) {
      expect([check, level, what, how].every((text) => text.length > 0)).toBe(true);
      expect(detail).not.toBe('');
      expect(more).toEqual({});
    }
    const { body: quick } = await app.api().get(`/v1/campaigns/${campaignId}/preflight`).query({ fetch: 'false' }).expect(200);
    expect((quick.data.checks as WireCheck[]).map(({ check }) => check)).toEqual(
      (checks as WireCheck[]).map(({ check }) => check).filter((check) => check !== 'links'),
    );
    expect((await get(campaignId)).status).toBe('draft');
  });

  test('is there for a draft and a scheduled campaign only, of the project itself', async () => {
    const { campaignId } = await draft();
    await act(campaignId, 'send', { scheduledFor: new Date(Date.now() + 86_400_000).toISOString() }).expect(200);
    await checksOf(campaignId);
    await act(campaignId, 'cancel').expect(200);
    const { body } = await app.api().get(`/v1/campaigns/${campaignId}/preflight`).expect(409);
    expect(body.code).toBe('invalid_state');
    await app.api(app.otherKeys.secret).get(`/v1/campaigns/${campaignId}/preflight`).expect(404);
    await app.api().get('/v1/campaigns/no.id/preflight').expect(422);
  });
});

describe('the sender', () => {
  test('an unverified domain blocks; in test mode it warns', async () => {
    const { campaignId } = await draft({ fromEmail: 'team@elsewhere.test' });
    const of = async (key: string) =>
      (await checksOf(campaignId, app.api(key))).filter(({ check }) => ['sending_domain', 'one_click_unsubscribe'].includes(check));
    expect(await of(app.keys.secret)).toMatchObject([{ level: 'block', detail: 'elsewhere.test' }, { level: 'warn' }]);
    expect(await of(app.keys.test)).toMatchObject([{ level: 'warn' }, { level: 'warn' }]);
  });

  test('DMARC: no record warns, a record with the DKIM key passes', async () => {
    const domain = await verified(dns);
    const { campaignId } = await draft({ fromEmail: `team@${domain.domain}` });
    const dmarc = async () => (await checksOf(campaignId)).find(({ check }) => check === 'dmarc');
    expect(await dmarc()).toMatchObject({ level: 'warn', what: 'The domain has no DMARC record.' });
    say(dns, domain, 'dmarc', { TXT: ['v=DMARC1; p=reject'] });
    expect(await dmarc()).toMatchObject({ level: 'ok', detail: 'p=reject; DKIM aligned; SPF not aligned' });
    say(dns, domain, 'dmarc', 'servfail');
    expect(await dmarc()).toMatchObject({ level: 'warn', what: expect.stringContaining('DNS did not answer') });
  });

  test('a DKIM key that is gone blocks under a policy of quarantine or reject, and nowhere else', async () => {
    const domain = await verified(dns);
    const { campaignId } = await draft({ fromEmail: `team@${domain.domain}` });
    const level = async () => (await checksOf(campaignId)).find(({ check }) => check === 'dmarc')?.level;
    say(dns, domain, 'dkim');
    for (const [record, expected] of [
      ['v=DMARC1; p=none', 'warn'],
      ['v=DMARC1; p=quarantine; t=y', 'warn'],
      ['v=DMARC1; p=quarantine', 'block'],
      ['v=DMARC1; p=reject', 'block'],
    ] as const) {
      say(dns, domain, 'dmarc', { TXT: [record] });
      expect([record, await level()]).toEqual([record, expected]);
    }
    expect(checksIn((await act(campaignId, 'send').expect(422)).body)).toEqual([['force', 'invalid_combination', 'dmarc']]);
    say(dns, domain, 'dkim', 'servfail');
    expect(await level()).toBe('warn');
    await act(campaignId, 'send').expect(200);
  });

  test('SPF with the bounce domain is enough, unless the policy wants the domain itself', async () => {
    const domain = await verified(dns, 'mailfrom');
    const { campaignId } = await draft({ fromEmail: `team@${domain.domain}` });
    say(dns, domain, 'dkim');
    const level = async () => (await checksOf(campaignId)).find(({ check }) => check === 'dmarc')?.level;
    say(dns, domain, 'dmarc', { TXT: ['v=DMARC1; p=reject'] });
    expect(await level()).toBe('ok');
    say(dns, domain, 'dmarc', { TXT: ['v=DMARC1; p=reject; aspf=s'] });
    expect(await level()).toBe('block');
  });

  test('the policy of the organization holds below it: `sp` before `p`', async () => {
    const domain = await verified(dns);
    const { campaignId } = await draft({ fromEmail: `team@${domain.domain}` });
    say(dns, domain, 'dkim');
    const level = async () => (await checksOf(campaignId)).find(({ check }) => check === 'dmarc')?.level;
    dns.names.set('_dmarc.example.com', { TXT: ['v=DMARC1; p=reject; sp=none'] });
    expect(await level()).toBe('warn');
    dns.names.set('_dmarc.example.com', { TXT: ['v=DMARC1; p=reject'] });
    expect(await level()).toBe('block');
    dns.names.delete('_dmarc.example.com');
  });
});

describe('complaints', () => {
  test('by provider: 0.1 % warns, 0.3 % blocks, and fewer than 1,000 messages say nothing', async () => {
    await sentTo('quiet.example', 900, 9);
    expect(await checkOf('complaint_rate')).toMatchObject({ level: 'ok' });
    await sentTo('googlemail.com', 500, 1);
    await sentTo('gmail.com', 500, 0);
    await sentTo('yahoo.com', 12_000, 0);
    expect(await checkOf('complaint_rate')).toMatchObject({ level: 'warn', detail: 'Gmail: 0.10 % (1 of 1000)' });
    await sentTo('hotmail.com', 1_000, 3);
    const blocked = await checkOf('complaint_rate');
    expect(blocked).toMatchObject({ level: 'block', detail: 'Microsoft: 0.30 % (3 of 1000); Gmail: 0.10 % (1 of 1000)' });
  });
});

describe('the audience', () => {
  test('an empty one warns', async () => {
    expect(await checkOf('audience')).toMatchObject({ level: 'warn' });
    await contact('ada@example.com');
    expect(await checkOf('audience')).toMatchObject({ level: 'ok', detail: '1 recipients' });
  });

  test('a jump against the busiest day of 30 days warns', async () => {
    await insertPeople(app.keys.projectId, 1_200);
    expect(await checkOf('volume')).toMatchObject({ level: 'warn', detail: expect.stringContaining('1200 recipients; at most 0') });
    const { projectId } = app.keys;
    const counted = (days: number, sent: number) => {
      const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000);
      return { _id: `${projectId}/${hour.toISOString()}`, projectId, hour, sent, bounced: 0, complained: 0 };
    };
    await stored.deliveryCounts.make([counted(31, 5_000), counted(3, 399)]);
    expect(await checkOf('volume')).toMatchObject({ level: 'warn' });
    await stored.deliveryCounts.make([counted(2, 400)]);
    expect(await checkOf('volume')).toMatchObject({ level: 'ok' });
  });

  test('placeholders without a value are named with the share of the audience that lacks them', async () => {
    await contact('ada@example.com', { firstName: 'Ada', data: { city: 'Paris' } });
    for (const name of ['bob', 'cid', 'dan']) await contact(`${name}@example.com`, { firstName: name });
    const body = '<p>Hello {{firstName}} {{data.city}} {{data.town | "there"}}</p>';
    const found = await checkOf('placeholders', { body });
    expect(found).toMatchObject({ level: 'warn', detail: '{{data.city}}: 75 %, of a sample of 4' });
    expect(await checkOf('placeholders', { subject: 'Hi', body: '<p>{{firstName}}</p>' })).toMatchObject({ level: 'ok' });
    expect(await checkOf('placeholders', { abSubjectB: 'In {{data.city}}', body: '<p>Hi</p>' })).toMatchObject({ level: 'warn' });
    expect(await checkOf('placeholders', { body: '<p>*|FNAME|*</p>' })).toMatchObject({ level: 'warn', detail: '*|FNAME|*' });
  });
});
