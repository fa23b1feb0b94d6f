import { once } from 'node:events';
import net from 'node:net';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { Contact } from '../../../../src/audience/contacts/model';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { importCsv } from '../../../support/calls/imports';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { storeContacts } from '../../../support/data/people';

const app = aProject();

beforeEach(async () => {
  await Promise.all([
    stored.contacts.remove(),
    stored.events.remove(),
    stored.fields.remove(),
    stored.fieldChanges.remove(),
    stored.members.remove(),
  ]);
});

const api = (key?: string) => app.api(key);
async function add(body: object): Promise<string> {
  const answer = await api().post('/v1/contacts').send(body);
  return String(answer.body.data.contactId);
}
const exported = async (query = '', key?: string): Promise<string> => (await api(key).get(`/v1/contacts/export${query}`).expect(200)).text;
const emails = (csv: string): string[] => parse<{ email: string }>(csv, { columns: true, bom: true }).map(({ email }) => email);

function seed(count: number, data: Contact['data'] = null): Promise<string[]> {
  const contacts = Array.from({ length: count }, (_, n) => {
    const at = new Date(1_700_000_000_000 + n);
    return [`user-${n}@example.com`, { firstName: `Name ${n}`, subscribed: n % 2 === 0, data, createdAt: at, updatedAt: at }] as const;
  });
  return storeContacts(app.keys.projectId, contacts);
}

test('an export of contacts has a header, the columns in order, and values as they are', async () => {
  await add({
    email: 'a@x.de',
    firstName: 'Ada, "Countess"',
    locale: 'en-GB',
    timezone: 'Europe/London',
    data: { b: 1, B: true, a: '=1+1', list: [1, { x: null }] },
  });
  await add({ email: 'b@x.de', subscribed: false, data: { 'a-b': 'one\r\ntwo', b: '' } });
  const response = await api().get('/v1/contacts/export').expect(200);
  expect(response.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/csv/),
    'content-disposition': 'attachment; filename="contacts.csv"',
  });
  const [a, b] = await Promise.all(['a@x.de', 'b@x.de'].map((email) => stored.contacts.one({ email })));
  expect(response.text).toBe(
    [
      '\ufeffemail,firstName,lastName,subscribed,locale,timezone,createdAt,data.B,data.a,data.a-b,data.b,data.list',
      `b@x.de,,,false,,,${b?.createdAt.toISOString()},,,"one\r\ntwo",,`,
      `a@x.de,"Ada, ""Countess""",,true,en-GB,Europe/London,${a?.createdAt.toISOString()},true,=1+1,,1,"[1,{""x"":null}]"`,
      '',
    ].join('\r\n'),
  );
});

test('an export of no contacts is the header', async () => {
  expect(await exported()).toBe('\ufeffemail,firstName,lastName,subscribed,locale,timezone,createdAt\r\n');
});

test('an export of contacts shows one project only, and what is asked for', async () => {
  const inSegment = await add({ email: 'a@x.de' });
  await add({ email: 'b@x.de', subscribed: false });
  const { projectId } = app.keys;
  const segmentId = newId('seg');
  await stored.segments.make({ _id: segmentId, projectId, type: 'static', name: 'Some', createdAt: new Date(), updatedAt: new Date() });
  await stored.members.make({
    _id: `${segmentId}:${inSegment}`,
    projectId,
    segmentId,
    contactId: inSegment,
    enteredAt: new Date(),
    contactCreatedAt: new Date(),
  });
  expect(emails(await exported('?subscribed=true'))).toEqual(['a@x.de']);
  expect(emails(await exported('?subscribed=false'))).toEqual(['b@x.de']);
  expect(emails(await exported(`?segmentId=${segmentId}`))).toEqual(['a@x.de']);
  expect(emails(await exported('?search=A@X'))).toEqual(['a@x.de']);
  expect(emails(await exported(`?segmentId=${segmentId}&subscribed=false`))).toEqual([]);
  expect(emails(await exported('', app.otherKeys.secret))).toEqual([]);
  for (const [key, segment] of [
    [app.keys.secret, 'seg_unknown'],
    [app.otherKeys.secret, segmentId],
  ] as const) {
    const { body } = await api(key).get('/v1/contacts/export').query({ segmentId: segment }).expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path: 'segmentId', code: 'not_found' }] });
  }
  await api().get('/v1/contacts/export?subscribed=perhaps').expect(422);
  await api(app.keys.public).get('/v1/contacts/export').expect(401);
});

describe('imported again', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\n', '\r', ' ', '0', '1', '.', '=', '{'), maxLength: 6 });
  const likeOther = fc.constantFrom(
    '12',
    '1.5',
    '-0',
    'true',
    'false',
    '[1]',
    '{"a":1}',
    'null',
    '2026-11-21T09:30:00.000Z',
    '01',
    '1e+21',
    '',
  );
  const scalar = fc.oneof(text, likeOther, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
  const value = fc.oneof(
    scalar,
    fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.oneof(scalar, fc.constant(null)), { maxKeys: 3 }),
  );
  const name = fc.option(fc.string({ unit: fc.constantFrom('A', 'b', '"', ',', ' ', '1', 'ß'), maxLength: 6 }), { nil: null });
  const person = fc.record({
    firstName: name,
    lastName: name,
    subscribed: fc.boolean(),
    optedOut: fc.boolean(),
    locale: fc.constantFrom(null, 'de', 'pt-BR'),
    timezone: fc.constantFrom(null, 'America/Sao_Paulo'),
    data: fc.option(fc.dictionary(fc.constantFrom('a', 'B', 'b_c', 'email', 'd-e', '_f'), value, { maxKeys: 5 }), { nil: null }),
  });

  test('changes nothing, of what is stored', async () => {
    const people = fc.sample(person, { numRuns: 400, seed: 20_261_121 });
    const at = new Date(1_700_000_000_000);
    const contacts = people.map(({ optedOut, ...fields }, n) => {
      const optedOutAt = !fields.subscribed && optedOut ? at : null;
      return [`random-${n}@example.com`, { ...fields, optedOutAt, createdAt: at, updatedAt: at }] as const;
    });
    await storeContacts(app.keys.projectId, contacts);
    await stored.fields.collection.insertMany(
      ['a', 'B', 'b_c', 'email', 'd-e', '_f'].map((field) => ({
        _id: `${app.keys.projectId}/${field}/0`,
        projectId: app.keys.projectId,
        field,
        string: 1,
      })),
    );
    const kept = () => stored.contacts.collection.find({}).sort({ _id: 1 }).toArray();
    const [before, csv] = [await kept(), await exported()];
    expect(await importCsv(app, csv)).toMatchObject({
      status: 'completed',
      totalRows: 400,
      updated: 400,
      failed: 0,
      skipped: 0,
      created: 0,
    });
    expect(await kept()).toEqual(before);
    expect(await stored.events.count()).toBe(0);
  });

  test('into another project makes the same contacts, but for lists and objects, which come as text', async () => {
    await add({ email: 'a@x.de', firstName: 'Ada', data: { n: 1, s: 'x', b: false, list: [1] } });
    const csv = await exported();
    await stored.contacts.remove();
    await importCsv(app, csv);
    expect(await stored.contacts.one({})).toMatchObject({ firstName: 'Ada', data: { n: 1, s: 'x', b: false, list: '[1]' } });
  });
});

test('an export goes through all pages, while other contacts come and go', async () => {
  const ids = await seed(3_000);
  const url = `${app.url}/v1/contacts/export`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${app.keys.secret}` } });
  const deleted = 'user-5@example.com';
  await Promise.all([stored.contacts.remove({ email: deleted }), add({ email: 'late@example.com' })]);
  const found = emails(await response.text());
  const others = ids.map((_id, n) => `user-${n}@example.com`).filter((email) => email !== deleted);
  expect(found.filter((email) => email !== deleted && email !== 'late@example.com')).toEqual(others.reverse());
});

test('exports of contacts read along an index', async () => {
  await seed(1_200);
  for (const query of ['', '?subscribed=true']) {
    const plans = await queryPlans('contacts', () => exported(query));
    expect(plans.length).toBeGreaterThan(1);
    for (const { plan, sorted } of plans) expect({ plan, sorted }).toEqual({ plan: expect.stringContaining('IXSCAN'), sorted: false });
  }
});

test('an export is read no faster than it is taken, and no further when the client is gone', async () => {
  const [count, note] = [4_000, 'x'.repeat(5_000)];
  await seed(count, { note });
  await stored.fields.make({ _id: `${app.keys.projectId}/note/0`, projectId: app.keys.projectId, field: 'note', string: count });
  const whole = (await queryPlans('contacts', () => exported())).length;
  const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1');
  const taken = await queryPlans('contacts', async () => {
    socket.write(`GET /v1/contacts/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.keys.secret}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    await exported();
  });
  expect(taken.length - whole).toBeLessThan(whole * 0.75);
  socket.destroy();
  expect((await queryPlans('contacts', () => exported())).length).toBeLessThan(whole * 1.2);
});
