import { createPublicKey } from 'node:crypto';
import { aProject } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import { aDomainChecker, domainCalls, addDomain, freshDomain } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address, DEV_VERIFIED_DOMAINS: 'hello.test' } }));
aDomainChecker(app);

const { read, verify } = domainCalls(() => app);

describe('adding', () => {
  test('a domain comes with a key and the records to publish, all pending', async () => {
    const { body } = await app.api().post('/v1/domains').send({ domain: 'News.Example.COM', dkim: 'rsa2048' }).expect(201);
    const { domainId, selector, verificationToken, dnsRecords, dnsChecks: _dnsChecks, ...rest } = body.data as WireDomain;
    expect(rest).toEqual({
      projectId: app.keys.projectId,
      domain: 'news.example.com',
      status: 'pending',
      dkimStatus: 'pending',
      spfStatus: 'pending',
      dmarcStatus: 'pending',
      trackingStatus: 'pending',
      mailFromStatus: 'pending',
      mailFromDomain: 'bounce.news.example.com',
      verifiedForSending: false,
      dkimTokens: [],
      lastCheckedAt: null,
      nextCheckAt: rest['createdAt'],
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    const spf = 'v=spf1 include:_spf.lettermill.test ~all';
    const key = expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]+=*$/) as string;
    const pending = { status: 'pending' };
    expect(dnsRecords).toEqual([
      {
        purpose: 'ownership',
        type: 'TXT',
        host: '_lettermill.news.example.com',
        value: `lettermill-verification=${String(verificationToken)}`,
        ...pending,
      },
      { purpose: 'dkim', type: 'TXT', host: `${selector}._domainkey.news.example.com`, value: key, ...pending },
      { purpose: 'spf', type: 'TXT', host: 'news.example.com', value: spf, ...pending },
      { purpose: 'dmarc', type: 'TXT', host: '_dmarc.news.example.com', value: 'v=DMARC1; p=none;', ...pending },
      { purpose: 'tracking', type: 'CNAME', host: 'track.news.example.com', value: 'track.lettermill.test', ...pending },
      { purpose: 'mailfrom', type: 'MX', host: 'bounce.news.example.com', value: '10 mx.lettermill.test', ...pending },
      { purpose: 'mailfrom', type: 'TXT', host: 'bounce.news.example.com', value: spf, ...pending },
    ]);
    const spki = Buffer.from(dnsRecords[1]?.value.split('p=')[1] ?? '', 'base64');
    expect(createPublicKey({ key: spki, format: 'der', type: 'spki' }).asymmetricKeyDetails?.modulusLength).toBe(2048);
    const row = await stored.domains.one(domainId);
    expect(row?.dkimPrivateKey).not.toContain('PRIVATE');
    expect(await read(body.data as WireDomain)).toEqual(body.data);
  });

  test('its workflow starts with it, under an id that does not reveal its name', async () => {
    app.processes.start.mockClear();
    const { domainId } = await addDomain(app.api());
    expect(app.processes.start).toHaveBeenCalledTimes(1);
    const intent = app.processes.start.mock.calls[0]?.[0] as object;
    expect(intent).toMatchObject({
      workflow: 'domainVerification',
      workflowId: `domain/${domainId}`,
      attributes: { projectId: app.keys.projectId },
    });
    expect(JSON.stringify(intent)).not.toContain('example.com');
  });

  test('while Temporal is away, the start waits for the sweep', async () => {
    app.processes.start.mockRejectedValueOnce(new Error('away'));
    const { domainId } = await addDomain(app.api());
    expect(await stored.outbox.count({ _id: `domain/${domainId}` })).toBe(1);
  });

  test('an internationalised domain is stored in its ASCII form', async () => {
    expect((await addDomain(app.api(), 'BÜCHER.example')).domain).toBe('xn--bcher-kva.example');
  });

  test('two domains have keys, selectors and tokens of their own', async () => {
    const [one, two] = [await addDomain(app.api()), await addDomain(app.api())];
    expect(one.selector).not.toBe(two.selector);
    expect(one['verificationToken']).not.toBe(two['verificationToken']);
    expect(one.dnsRecords[1]?.value).not.toBe(two.dnsRecords[1]?.value);
  });

  test('the same domain again is a conflict, in any form and at the same time; another project may add it', async () => {
    const domain = freshDomain();
    const answers = await Promise.all(
      [domain, domain.toUpperCase(), domain].map((name) => app.api().post('/v1/domains').send({ domain: name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict');
    await addDomain(app.api(app.otherKeys.secret), domain);
    await app.api().post('/v1/domains').send({ domain: 'hello.test' }).expect(409);
  });

  test.each([
    [{}, 'domain', 'invalid_type'],
    [{ domain: 7 }, 'domain', 'invalid_type'],
    [{ domain: '' }, 'domain', 'invalid_string'],
    [{ domain: 'localhost' }, 'domain', 'invalid_string'],
    [{ domain: 'exa mple.com' }, 'domain', 'invalid_string'],
    [{ domain: 'example.com.' }, 'domain', 'invalid_string'],
    [{ domain: '*.example.com' }, 'domain', 'invalid_string'],
    [{ domain: 'https://example.com' }, 'domain', 'invalid_string'],
    [{ domain: '192.0.2.1' }, 'domain', 'invalid_string'],
    [{ domain: `${'a'.repeat(64)}.com` }, 'domain', 'invalid_string'],
    [{ domain: `${'abcdefgh.'.repeat(26)}com` }, 'domain', 'too_big'],
    [{ domain: 'ok.example.com', dkim: 'ed25519' }, 'dkim', 'invalid_enum_value'],
    [{ domain: 'ok.example.com', selector: 'mine' }, 'selector', 'unrecognized_keys'],
  ])('%j is refused', async (body, path, code) => {
    const answer = await app.api().post('/v1/domains').send(body).expect(422);
    expect(answer.body).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
  });
});

describe('reading', () => {
  test('the list has all domains of the project, newest first, and no page', async () => {
    const domains = [await addDomain(app.api()), await addDomain(app.api())];
    const { body } = await app.api().get('/v1/domains').expect(200);
    expect(Object.keys(body.data as object)).toEqual(['data']);
    const ids = (body.data.data as WireDomain[]).map(({ domainId }) => domainId);
    expect(ids.slice(0, 2)).toEqual([domains[1]?.domainId, domains[0]?.domainId]);
    const other = (await app.api(app.otherKeys.secret).get('/v1/domains').expect(200)).body.data.data as WireDomain[];
    expect(other.some(({ domainId }) => ids.includes(domainId))).toBe(false);
  });

  test('a development domain is there from the beginning, verified and with all of its records; DNS does not withdraw it', async () => {
    const { body } = await app.api().get('/v1/domains');
    const hello = (body.data.data as WireDomain[]).find(({ domain }) => domain === 'hello.test') as WireDomain;
    expect(hello).toMatchObject({ status: 'verified', verifiedForSending: true, dkimStatus: 'verified', mailFromStatus: 'pending' });
    expect(hello.dnsRecords).toHaveLength(7);
    expect(hello['verificationToken']).toMatch(/^[0-9a-z]{32}$/);
    app.processes.start.mockClear();
    expect(await verify(hello)).toMatchObject({ status: 'verified', verifiedForSending: true, dkimStatus: 'verified' });
    expect(app.processes.start).not.toHaveBeenCalled();
  });

  test.each(['get', 'delete'] as const)('%s of what is not there is 404, of what is no id 422', async (method) => {
    expect((await app.api()[method]('/v1/domains/dom_nothing').expect(404)).body.code).toBe('not_found');
    expect((await app.api()[method]('/v1/domains/no.id').expect(422)).body.details[0].path).toBe('id');
  });

  test('every query has an index', async () => {
    const domain = await addDomain(app.api());
    const plans = await queryPlans('domains', async () => {
      await app.api().get('/v1/domains');
      await verify(domain);
      await app.api().delete(`/v1/domains/${domain.domainId}`).expect(200);
    });
    expect(plans.length).toBeGreaterThan(4);
    expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
  });
});
