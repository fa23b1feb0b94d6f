import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { platformOf } from '../../../../src/processes/admin/platform';
import { parseRequest } from '../../../../src/processes/admin/request';
import { loadConfig } from '../../../../src/platform/config/config';
import type { Domain } from '../../../../src/sending/domains/model';
import { newDomain, sealContextOf as domainPlace } from '../../../../src/sending/domains/row';
import { sealContextOf as erasurePlace } from '../../../../src/upkeep/erasure/service';
import { beginTotp, confirmTotp, takeCode } from '../../../../src/records/members/factors';
import { addPerson } from '../../../../src/records/members/service';
import { newId } from '../../../../src/platform/core/ids';
import { SealedError, Secrets } from '../../../../src/platform/secrets';
import type { SealContext } from '../../../../src/platform/secrets';
import { sealContextOf as hookPlace, signingSecrets } from '../../../../src/sending/webhooks/secrets';
import { codeOf } from '../../../support/calls/second-factors';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const [OLDEST, OLD, NEW] = [
  'the oldest secret of this platform so long',
  'the old secret of this platform is so long',
  'the new secret of this platform is so long',
];
const MANY = 450;
const HOUR_MS = 3_600_000;

const app = aProject();
let template: Domain;

beforeAll(async () => {
  template = await newDomain(app.core, app.keys.projectId, 'template.example.com', new Date());
});
beforeEach(() =>
  Promise.all([stored.domains, stored.webhooks, stored.erasures, stored.audit, stored.persons].map((rows) => rows.remove())),
);
afterEach(() => jest.restoreAllMocks());

/** Domains whose keys say which one each is. */
async function addDomains(count: number, seal: (place: SealContext, plain: string) => string): Promise<void> {
  const rows = Array.from({ length: count }, (): Domain => {
    const _id = newId('dom');
    const row = { ...template, _id, domain: `${_id.slice(4)}.example.com` };
    return { ...row, dkimPrivateKey: seal(domainPlace(row), `key of ${_id}`) };
  });
  await stored.domains.collection.insertMany(rows);
}

/** How many keys are there that these secrets open, each to what it was. */
async function opening(...secrets: readonly string[]): Promise<number> {
  const known = new Secrets(secrets);
  const rows = await stored.domains.all();
  const opens = (row: Domain): boolean => {
    try {
      return known.decrypt(domainPlace(row), row.dkimPrivateKey) === `key of ${row._id}`;
    } catch {
      return false;
    }
  };
  return rows.filter(opens).length;
}

const under = (...secrets: readonly string[]) => ({ secrets: new Secrets(secrets) });
const reseal = (...secrets: readonly string[]) =>
  parseRequest(['secrets', 'reseal']).run({
    release: '0.1.0',
    config: app.core.config,
    publicUrl: 'http://localhost:3000',
    secrets: () => new Secrets(secrets),
    say: () => undefined,
  });
const NONE = { rows: 0, resealed: 0 };
const counts = (domains: object, webhooks: object = NONE, erasures: object = NONE, persons: object = NONE) => [
  { what: 'DKIM keys', unreadable: 0, ...domains },
  { what: 'webhook secrets', unreadable: 0, ...webhooks },
  { what: 'addresses to erase', unreadable: 0, ...erasures },
  { what: 'authenticator secrets', unreadable: 0, ...persons },
];

test('all that older secrets have sealed comes under the newest; a second time there is nothing to do', async () => {
  await addDomains(20, (place, plain) => new Secrets([OLDEST]).encrypt(place, plain));
  await addDomains(20, (place, plain) => new Secrets([OLD, OLDEST]).encrypt(place, plain));
  await addDomains(3, (place, plain) => new Secrets([NEW]).encrypt(place, plain));
  expect(await opening(NEW, OLD, OLDEST)).toBe(43);
  expect(await opening(NEW)).toBe(3);
  expect(await reseal(NEW, OLD, OLDEST)).toEqual({ result: counts({ rows: 43, resealed: 40 }), fault: null });
  expect(await opening(NEW)).toBe(43);
  expect(await reseal(NEW, OLD, OLDEST)).toEqual({ result: counts({ rows: 43, resealed: 0 }), fault: null });
  expect(await stored.audit.all()).toMatchObject([{ action: 'secrets.reseal', projectId: null }, { action: 'secrets.reseal' }]);
});

test('webhook secrets come with it, those that still sign too, and go on signing the same; what signs no more is dropped', async () => {
  const { body } = await app
    .api()
    .post('/v1/webhooks')
    .send({ url: 'https://example.com/', events: ['*'] })
    .expect(201);
  const id = body.data.webhookId as string;
  const row = await stored.webhooks.get(id);
  const place = hookPlace(row);
  const [soon, past] = [new Date(Date.now() + HOUR_MS), new Date(Date.now() - HOUR_MS)];
  const old = new Secrets([OLD]);
  const retiring = [
    { sealed: new Secrets([OLDEST]).encrypt(place, 'whsec_before'), until: soon },
    { sealed: new Secrets(['a secret that is long gone and forgotten']).encrypt(place, 'whsec_gone'), until: past },
  ];
  await stored.webhooks.change(id, { secret: old.encrypt(place, 'whsec_now'), retiring });
  expect(await reseal(NEW, OLD, OLDEST)).toEqual({ result: counts({ rows: 0, resealed: 0 }, { rows: 1, resealed: 1 }), fault: null });
  const after = await stored.webhooks.get(id);
  expect(signingSecrets(under(NEW), after, new Date())).toEqual(['whsec_now', 'whsec_before']);
  expect(after.retiring).toEqual([{ sealed: expect.any(String), until: soon }]);
  expect(after.updatedAt).toEqual(row.updatedAt);
  expect(await reseal(NEW, OLD, OLDEST)).toMatchObject({ result: counts({ rows: 0, resealed: 0 }, { rows: 1, resealed: 0 }) });
});

test('addresses that are still to be erased come with it; what is erased is not counted', async () => {
  const { body } = await app.api().post('/v1/contacts').send({ email: 'ada@example.com' }).expect(201);
  await app.api().delete(`/v1/contacts/${body.data.contactId}`).expect(200);
  const row = await stored.erasures.get({});
  await stored.erasures.make({ ...row, _id: newId('era'), addresses: null });
  const addresses = new Secrets([OLD]).encrypt(erasurePlace(row), '["ada@example.com"]');
  await stored.erasures.change(row._id, { addresses });
  expect(await reseal(NEW, OLD)).toEqual({ result: counts(NONE, NONE, { rows: 1, resealed: 1 }), fault: null });
  const after = await stored.erasures.get(row._id);
  expect(new Secrets([NEW]).decrypt(erasurePlace(row), after.addresses ?? '')).toBe('["ada@example.com"]');
});

test('secrets of authenticator apps come with it, and their codes stay good', async () => {
  const personId = await addPerson(app.keys.projectId, { address: 'ada@example.com', name: null, role: 'analyst' });
  await addPerson(app.keys.projectId, { address: 'without@example.com', name: null, role: 'analyst' });
  const { secret } = await beginTotp(new Secrets([OLD]), personId);
  await confirmTotp(new Secrets([OLD]), personId, codeOf(secret));
  expect(await reseal(NEW, OLD)).toEqual({ result: counts(NONE, NONE, NONE, { rows: 1, resealed: 1 }), fault: null });
  await expect(takeCode(new Secrets([NEW]), personId, codeOf(secret, 1))).resolves.toBeUndefined();
});

test('a resealing that ends in its midst leaves every key readable, and goes on where it stood', async () => {
  await addDomains(MANY, (place, plain) => new Secrets([OLD]).encrypt(place, plain));
  const write = stored.domains.collection.bulkWrite.bind(stored.domains.collection);
  let batches = 0;
  const killed = (...args: Parameters<typeof write>) => (++batches > 1 ? Promise.reject(new Error('killed')) : write(...args));
  jest.spyOn(stored.domains.collection, 'bulkWrite').mockImplementation(killed);
  await expect(reseal(NEW, OLD)).rejects.toThrow('killed');
  jest.restoreAllMocks();
  const done = await opening(NEW);
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(MANY);
  expect(await opening(NEW, OLD)).toBe(MANY);
  expect(await reseal(NEW, OLD)).toEqual({ result: counts({ rows: MANY, resealed: MANY - done }), fault: null });
  expect(await opening(NEW)).toBe(MANY);
});

test('a row that is changed under its hands keeps the change, and is sealed anew in a second look', async () => {
  await addDomains(2, (place, plain) => new Secrets([OLD]).encrypt(place, plain));
  const write = stored.domains.collection.bulkWrite.bind(stored.domains.collection);
  const [changed] = (await stored.domains.all()) as [Domain];
  const late = async (...args: Parameters<typeof write>) => {
    jest.restoreAllMocks();
    const other = new Secrets([OLD]).encrypt(domainPlace(changed), 'changed meanwhile');
    await stored.domains.change(changed._id, { dkimPrivateKey: other });
    return write(...args);
  };
  jest.spyOn(stored.domains.collection, 'bulkWrite').mockImplementation(late);
  expect(await reseal(NEW, OLD)).toEqual({ result: counts({ rows: 2, resealed: 2 }), fault: null });
  const row = await stored.domains.get(changed._id);
  expect(new Secrets([NEW]).decrypt(domainPlace(row), row.dkimPrivateKey)).toBe('changed meanwhile');
});

test('two at once do no harm', async () => {
  await addDomains(MANY, (place, plain) => new Secrets([OLD]).encrypt(place, plain));
  await Promise.all([reseal(NEW, OLD), reseal(NEW, OLD)]);
  expect(await opening(NEW)).toBe(MANY);
});

test('what no listed secret opens stays as it is, is counted and named; the others are sealed anew', async () => {
  await addDomains(12, (place, plain) => new Secrets([OLDEST]).encrypt(place, plain));
  await addDomains(1, (place, plain) => new Secrets([OLD]).encrypt(place, plain));
  const { result, fault } = await reseal(NEW, OLD);
  expect(result).toEqual(counts({ rows: 13, resealed: 1, unreadable: 12 }));
  expect(fault).toMatch(/^No secret that is listed opens 12 of them; they stay as they are: (dom_\w+, ){10}…$/);
  expect(await opening(NEW, OLDEST)).toBe(13);
});

test('a value moved to another row cannot be opened there', async () => {
  await addDomains(2, (place, plain) => new Secrets([OLD]).encrypt(place, plain));
  const [from, to] = (await stored.domains.all()) as [Domain, Domain];
  await stored.domains.change(to._id, { dkimPrivateKey: from.dkimPrivateKey });
  expect(await reseal(NEW, OLD)).toMatchObject({ result: counts({ rows: 2, resealed: 1, unreadable: 1 }) });
});

test('the secrets are those that are given, else those that DATA_DIR has', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'lettermill-secrets-'));
  const config = loadConfig({ DATA_DIR: root });
  expect(() => platformOf(config, () => undefined).secrets()).toThrow(
    `Set APP_SECRET to the secret that the platform uses: ${root} has none`,
  );
  writeFileSync(path.join(root, 'app-secret'), `${NEW},${OLD}\n`);
  const sealed = (...secrets: readonly string[]) => new Secrets(secrets).encrypt(domainPlace(template), 'kept');
  expect(
    platformOf(config, () => undefined)
      .secrets()
      .decrypt(domainPlace(template), sealed(OLD)),
  ).toBe('kept');
  const given = platformOf(loadConfig({ DATA_DIR: root, APP_SECRET: OLDEST }), () => undefined).secrets();
  expect(given.decrypt(domainPlace(template), sealed(OLDEST))).toBe('kept');
  expect(() => given.decrypt(domainPlace(template), sealed(OLD))).toThrow(SealedError);
  rmSync(root, { recursive: true, force: true });
});
