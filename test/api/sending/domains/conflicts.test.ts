import { checkInBackground } from '../../../../src/sending/domains/request';
import { aProject } from '../../../support/platform/app';
import type { Api } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import { aDomainChecker, addDomain, freshDomain, publish } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { stored } from '../../../support/data/stored';

const HOUR = 3_600_000;

let ours: Api;
let theirs: Api;

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address } }));
aDomainChecker(app);
beforeAll(async () => {
  [ours, theirs] = [app.api(), app.api(app.otherKeys.secret)];
});

const verify = (api: Api, { domainId }: WireDomain) => api.post(`/v1/domains/${domainId}/verify`);
const rowOf = ({ domainId }: WireDomain) => stored.domains.get(domainId);
const checkAt = (projectId: string, { domainId }: WireDomain, now: number) => checkInBackground(app.core, { domainId, projectId, now });

/** One name in both projects, with the records of both; ours is verified. */
async function contested(): Promise<{ readonly mine: WireDomain; readonly other: WireDomain }> {
  const name = freshDomain();
  const [mine, other] = [await addDomain(ours, name), await addDomain(theirs, name)];
  publish(dns, { dnsRecords: [...mine.dnsRecords, ...other.dnsRecords] }, 'ownership', 'dkim');
  expect((await verify(ours, mine).expect(200)).body.data.status).toBe('verified');
  return { mine, other };
}

test('a domain that another project has is a conflict, which changes nothing and does not count as a check', async () => {
  const { other } = await contested();
  const before = await rowOf(other);
  for (let n = 0; n < 2; n++) expect((await verify(theirs, other).expect(409)).body.code).toBe('conflict');
  expect(await rowOf(other)).toEqual(before);
});

test('a contested domain stays pending in the background, and fails when its window ends', async () => {
  const { other } = await contested();
  const { projectId } = app.otherKeys;
  const begun = Date.now();
  await checkAt(projectId, other, begun);
  expect(await checkAt(projectId, other, begun + HOUR)).toEqual({ status: 'pending', waitMs: 300_000 });
  expect((await rowOf(other)).records).toMatchObject({ ownership: 'verified', dkim: 'verified' });
  expect(await checkAt(projectId, other, begun + 72 * HOUR)).toEqual({ status: 'failed', waitMs: null });
  await verify(theirs, other).expect(409);
  expect((await rowOf(other)).status).toBe('failed');
});

test('a second project gets a domain once the first has removed it', async () => {
  const { mine, other } = await contested();
  await ours.delete(`/v1/domains/${mine.domainId}`).expect(200);
  expect((await verify(theirs, other).expect(200)).body.data.status).toBe('verified');
});

test('a second project gets a domain once the first lost its record for 72 hours', async () => {
  const { mine, other } = await contested();
  publish(dns, other, 'ownership', 'dkim');
  const at = Date.now();
  for (let day = 0; day < 3; day++) {
    expect(await checkAt(app.keys.projectId, mine, at + day * 24 * HOUR)).toEqual({ status: 'verified', waitMs: 300_000 });
    await verify(theirs, other).expect(409);
  }
  expect(await checkAt(app.keys.projectId, mine, at + 72 * HOUR)).toEqual({ status: 'failed', waitMs: null });
  expect((await verify(theirs, other).expect(200)).body.data.status).toBe('verified');
});

/** One name in both projects, with the records of both; neither was checked. */
async function unclaimed(): Promise<readonly [mine: WireDomain, other: WireDomain]> {
  const name = freshDomain();
  const both = [await addDomain(ours, name), await addDomain(theirs, name)] as const;
  publish(dns, { dnsRecords: both.flatMap(({ dnsRecords }) => dnsRecords) }, 'ownership', 'dkim');
  return both;
}

const statusesOf = async (domains: readonly WireDomain[]): Promise<string[]> =>
  (await Promise.all(domains.map(rowOf))).map(({ status }) => status).sort();

test('one of two projects that ask for a domain at the same time gets it', async () => {
  for (let round = 0; round < 2; round++) {
    const [mine, other] = await unclaimed();
    const answers = await Promise.all([verify(ours, mine), verify(theirs, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await statusesOf([mine, other])).toEqual(['pending', 'verified']);
  }
});

test('one of two projects whose background checks meet gets the domain', async () => {
  for (let round = 0; round < 2; round++) {
    const [mine, other] = await unclaimed();
    const now = Date.now();
    await Promise.all([checkAt(app.keys.projectId, mine, now), checkAt(app.otherKeys.projectId, other, now)]);
    expect(await statusesOf([mine, other])).toEqual(['pending', 'verified']);
  }
});
