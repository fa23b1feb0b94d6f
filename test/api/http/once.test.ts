import type { Context } from '../../../src/platform/core/context';
import { AnswerKey, IdempotencyModel, answerOnce } from '../../../src/platform/idempotency';
import { inTransaction } from '../../../src/platform/mongo/transaction';
import { servedBeside, aProject, apiOf } from '../../support/platform/app';
import type { Api } from '../../support/platform/app';
import { activate, chain, contact, node } from '../../support/calls/automations';
import { eventually } from '../../support/platform/platform';
import { campaignRoutes } from '../../../api/campaigns/routes';
import { automationRoutes } from '../../../api/automations/routes';
import { contactRoutes } from '../../../api/contacts/routes';
import { stored } from '../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const second = servedBeside(app, [...campaignRoutes, ...automationRoutes, ...contactRoutes]);
let count = 0;

const freshKey = (): string => `key ${++count}`;
const post = (path: string, key: string, body: object, api: Api = app.api()) => api.post(path).set('Idempotency-Key', key).send(body);
const other = (): Api => apiOf(second.url, app.keys.secret)();

interface Answer {
  readonly status: number;
  readonly body: { readonly data: Record<string, unknown>; readonly code?: string };
  readonly headers: Record<string, string>;
}

function expectReplay(again: Answer, first: Answer): void {
  expect(again.status).toBe(first.status);
  expect(again.body.data).toEqual({ ...first.body.data, replay: true });
  expect(again.headers['x-idempotent-replay']).toBe('true');
  expect(first.body.data).not.toHaveProperty('replay');
  expect(first.headers).not.toHaveProperty('x-idempotent-replay');
}

describe('POST /v1/campaigns/{id}/send', () => {
  async function draft(): Promise<string> {
    const given = { name: 'News', subject: 'News', body: '<p>News</p>', fromEmail: 'news@hello.test' };
    return (await app.api().post('/v1/campaigns').send(given).expect(201)).body.data.campaignId as string;
  }

  test('a repeated key is answered as before, however the campaign stands by then', async () => {
    const [id, key] = [await draft(), freshKey()];
    const first = await post(`/v1/campaigns/${id}/send`, key, { throttlePerMinute: 60 }).expect(200);
    await stored.campaigns.change(id, { status: 'sent' });
    expectReplay(await post(`/v1/campaigns/${id}/send`, key, { throttlePerMinute: 60 }), first);
    expect((await post(`/v1/campaigns/${id}/send`, key, {}).expect(409)).body.code).toBe('idempotency_key_reused');
    expect((await post(`/v1/campaigns/${id}/send`, freshKey(), {}).expect(409)).body.code).toBe('invalid_state');
  });

  test('the same key starts another campaign, and is of no account to another kind of key', async () => {
    const [one, two, three, key] = [await draft(), await draft(), await draft(), freshKey()];
    await post(`/v1/campaigns/${one}/send`, key, {}).expect(200);
    const { body } = await post(`/v1/campaigns/${two}/send`, key, {}).expect(200);
    expect(body.data).toMatchObject({ campaignId: two, status: 'sending' });
    expect((await post(`/v1/campaigns/${three}/send`, key, {}, app.api(app.keys.test)).expect(200)).body.data).not.toHaveProperty('replay');
  });

  test('a schedule whose time has come since is answered as before', async () => {
    const [id, key] = [await draft(), freshKey()];
    const body = { scheduledFor: new Date(Date.now() + 1_200).toISOString() };
    const first = await post(`/v1/campaigns/${id}/send`, key, body).expect(200);
    await eventually('its time has come', () => Date.now() > Date.parse(body.scheduledFor) + 10);
    expectReplay(await post(`/v1/campaigns/${id}/send`, key, body), first);
    expect((await post(`/v1/campaigns/${id}/send`, freshKey(), body)).status).toBe(422);
  });

  test('of many at once, through two listeners, one starts it and all have its answer', async () => {
    const [id, key] = [await draft(), freshKey()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => post(`/v1/campaigns/${id}/send`, key, {}, n % 2 ? other() : app.api())),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body }) => body.data.replay === undefined)).toHaveLength(1);
  });

  test('a refusal is not kept', async () => {
    const [id, key] = [await draft(), freshKey()];
    await app.api().patch(`/v1/campaigns/${id}`).send({ fromEmail: 'news@unverified.test' }).expect(200);
    await post(`/v1/campaigns/${id}/send`, key, {}).expect(422);
    await app.api().patch(`/v1/campaigns/${id}`).send({ fromEmail: 'news@hello.test' }).expect(200);
    expect((await post(`/v1/campaigns/${id}/send`, key, {})).status).toBe(200);
    expect((await post(`/v1/campaigns/${id}/send`, 'line\tbreak', {})).status).toBe(422);
  });
});

describe('POST /v1/workflows/{id}/enroll', () => {
  test.each(['never', 'always'] as const)('with re-entry %s a repeated key enrols once, through two listeners', async (reentry) => {
    const id = await activate(app, chain(node('wait', 'delay', { amount: 1, unit: 'days' })), { reentry });
    const [contactId, key] = [await contact(app), freshKey()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => post(`/v1/workflows/${id}/enroll`, key, { contactId }, n % 2 ? other() : app.api())),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map(({ body }) => body.data.executionId as string)).size).toBe(1);
    expect(await stored.executions.count({ automationId: id })).toBe(1);
    const first = answers.find(({ body }) => body.data.replay === undefined);
    expectReplay(await post(`/v1/workflows/${id}/enroll`, key, { contactId }), first as unknown as Answer);
    expect((await post(`/v1/workflows/${id}/enroll`, key, { contactId, data: { a: 1 } }).expect(409)).body.code).toBe(
      'idempotency_key_reused',
    );
  });
});

describe('POST /v1/contacts/import', () => {
  const CSV = `email,firstName\n${Array.from({ length: 30_000 }, (_, n) => `user${n}@example.com,Ada\n`).join('')}`;
  const csv = (key: string, text = CSV, query = '', api: Api = app.api()) =>
    api.post(`/v1/contacts/import${query}`).set('Idempotency-Key', key).set('Content-Type', 'text/csv').send(text);
  const form = (key: string, text = CSV) =>
    app.api().post('/v1/contacts/import').set('Idempotency-Key', key).attach('file', Buffer.from(text), 'contacts.csv');
  const pieces = () => stored.importPieces.count();

  test('a repeated key with the same file is the same import, be the form another one, and its second upload is dropped', async () => {
    const key = freshKey();
    const first = await form(key).expect(202);
    const kept = await pieces();
    expect(kept).toBeGreaterThan(1);
    expectReplay(await form(key), first);
    expectReplay(await csv(key), first);
    expect(await pieces()).toBe(kept);
  });

  test('another file, or other options, is 409', async () => {
    const key = freshKey();
    await csv(key).expect(202);
    const kept = await pieces();
    expect((await csv(key, `${CSV}x`).expect(409)).body.code).toBe('idempotency_key_reused');
    expect((await csv(key, CSV, '?trigger=true').expect(409)).body.code).toBe('idempotency_key_reused');
    expect(await pieces()).toBe(kept);
  });

  test('is answered as before where its segment has gone since', async () => {
    const { body } = await app.api().post('/v1/segments').send({ name: 'S', type: 'static' }).expect(201);
    const [segmentId, key] = [body.data.segmentId as string, freshKey()];
    const first = await csv(key, CSV, `?segmentId=${segmentId}`).expect(202);
    await app.api().delete(`/v1/segments/${segmentId}`).expect(200);
    expectReplay(await csv(key, CSV, `?segmentId=${segmentId}`), first);
    expect((await csv(freshKey(), CSV, `?segmentId=${segmentId}`)).status).toBe(422);
  });

  test('of many at once, through two listeners, one is the import', async () => {
    const key = freshKey();
    const [jobs, kept] = [await stored.imports.count(), await pieces()];
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => csv(key, CSV, '', n % 2 ? other() : app.api())));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
    expect(new Set(answers.map(({ body }) => body.data.importId as string)).size).toBe(1);
    expect(await stored.imports.count()).toBe(jobs + 1);
    expect((await pieces()) - kept).toBe(Math.ceil(Buffer.byteLength(CSV) / (256 * 1024)));
  });
});

test('what another process has answered meanwhile counts, and nothing is done a second time', async () => {
  const ctx = { core: app.core, projectId: app.keys.projectId, testMode: false, keyKind: 'secret' } as Context;
  const request = { operation: 'anything', key: 'theirs', fingerprint: 'same' };
  const key = new AnswerKey(ctx, 'anything', 'theirs');
  const theirs = { _id: key.id, fingerprint: 'same', answer: key.seal('{"n":1}'), createdAt: new Date() };
  const done = await answerOnce(
    ctx,
    request,
    (n: number) => ({ n }),
    (keep) =>
      inTransaction(async (session) => {
        await stored.campaigns.collection.insertOne({ _id: 'cmp_second' }, { session });
        await IdempotencyModel.updateOne({ _id: theirs._id }, { $setOnInsert: theirs }, { upsert: true });
        await keep(session, 2);
        return 2;
      }),
  );
  expect(done).toEqual({ answer: { n: 1 }, replay: true });
  expect(await stored.campaigns.count({ _id: 'cmp_second' })).toBe(0);
});

test('answers are kept without addresses in their ids, for a day', async () => {
  expect(await stored.answers.count({ _id: /@|key/ })).toBe(0);
});
