import { aProject } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import { aDomainChecker } from '../../../support/calls/domains';
import { newProject } from '../../../support/data/projects';

/** Domains to try things with, as `npm start` has them. */
const dns = aNameServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', DEV_PROJECT_DOMAINS: 'hello.test', DNS_SERVERS: dns.address },
}));
aDomainChecker(app);
/** Says of every name that it does not exist. */

interface Shown {
  readonly domainId: string;
  readonly domain: string;
  readonly status: string;
  readonly dkimStatus: string;
}

async function domainsOf(key: string): Promise<readonly Shown[]> {
  return (await app.api(key).get('/v1/domains').expect(200)).body.data.data as Shown[];
}

test('the first project has the listed domain, and every other a verified one of its own below it', async () => {
  const third = await newProject('Third');
  const own = ({ projectId }: { readonly projectId: string }): string => `${projectId.slice(-8)}.hello.test`;
  const names = async (key: string): Promise<unknown> =>
    (await domainsOf(key)).map(({ domain, status, dkimStatus }) => [domain, status, dkimStatus]);
  expect(await names(app.keys.secret)).toEqual([['hello.test', 'verified', 'verified']]);
  expect(await names(app.otherKeys.secret)).toEqual([[own(app.otherKeys), 'verified', 'verified']]);
  expect(await names(third.secret)).toEqual([[own(third), 'verified', 'verified']]);
});

test('a project sends from its own at once, and from no other', async () => {
  const fresh = await newProject('Fresh');
  const api = app.api(fresh.secret);
  const sent = await api.post('/v1/send').send({ to: 'ada@example.com', subject: 'Hello', text: 'Hello' }).expect(200);
  const [{ id }] = sent.body.data.results as [{ id: string }];
  const from = `hello@${fresh.projectId.slice(-8)}.hello.test`;
  expect((await api.get(`/v1/emails/${id}`).expect(200)).body.data).toMatchObject({ fromEmail: from, status: 'queued' });
  const stolen = await app.api().post('/v1/send').send({ to: 'ada@example.com', from, subject: 'Hello', text: 'Hello' });
  expect([stolen.status, stolen.body.details]).toMatchObject([422, [{ code: 'unverified_domain' }]]);
});

test('a check does not go by what DNS says of what it needs, and one that is removed comes back', async () => {
  const [mine] = await domainsOf(app.otherKeys.secret);
  const api = app.api(app.otherKeys.secret);
  const checked = await api.post(`/v1/domains/${mine?.domainId}/verify`).expect(200);
  expect(checked.body.data).toMatchObject({ status: 'verified', dkimStatus: 'verified' });
  expect(dns.questions).toContain(`TXT ${mine?.domain}`);
  await api.delete(`/v1/domains/${mine?.domainId}`).expect(200);
  const [again] = await domainsOf(app.otherKeys.secret);
  expect(again).toMatchObject({ domain: mine?.domain, status: 'verified' });
  expect(again?.domainId).not.toBe(mine?.domainId);
});
