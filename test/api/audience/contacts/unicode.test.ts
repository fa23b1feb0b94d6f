import { all } from '../../../support/calls/segment-calls';
import { importCsv } from '../../../support/calls/imports';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject();

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.suppressions.remove()]);
});

const DECOMPOSED = 'Jose\u0301';
const COMPOSED = 'Jos\u00e9';

const api = () => app.api();
const found = async (path: string, search: string): Promise<string[]> => {
  const { body } = await api().get(path).query({ search }).expect(200);
  return (body.data as { email: string }[]).map(({ email }) => email);
};
const preview = async (filter: object): Promise<number> =>
  (
    await api()
      .post('/v1/segments/preview')
      .send({ conditions: all(filter) })
      .expect(200)
  ).body.data.count as number;

test('the text of contacts is kept in NFC, however it came', async () => {
  const { body } = await api()
    .post('/v1/contacts')
    .send({
      email: 'a@x.de',
      firstName: DECOMPOSED,
      lastName: DECOMPOSED,
      data: { city: DECOMPOSED, list: [{ [`${DECOMPOSED}s`]: DECOMPOSED }, 1, null] },
    });
  expect(body.data).toMatchObject({
    firstName: COMPOSED,
    lastName: COMPOSED,
    data: { city: COMPOSED, list: [{ [`${COMPOSED}s`]: COMPOSED }, 1, null] },
  });
  await api()
    .post('/v1/contacts')
    .send({ email: 'a@x.de', data: { city: DECOMPOSED } })
    .expect(200);
  expect(await stored.contacts.one({ email: 'a@x.de' })).toMatchObject({ updatedAt: new Date(body.data.updatedAt as string) });
  expect(await importCsv(app, `email,firstName,city\nb@x.de,${DECOMPOSED},${DECOMPOSED}\n`)).toMatchObject({ created: 1 });
  expect(await stored.contacts.one({ email: 'b@x.de' })).toMatchObject({ firstName: COMPOSED, data: { city: COMPOSED } });
  await app
    .api(app.keys.test)
    .post('/v1/send')
    .send({ to: { email: 'c@x.de', name: `${DECOMPOSED} ${DECOMPOSED}` }, from: 'a@b.de', subject: 'x', text: 'x' });
  expect(await stored.contacts.one({ email: 'c@x.de' })).toMatchObject({ firstName: COMPOSED, lastName: COMPOSED });
});

test.each([DECOMPOSED, COMPOSED])('search and conditions find %j in any normal form', async (text) => {
  await api()
    .post('/v1/contacts')
    .send({ email: 'a@x.de', firstName: DECOMPOSED, data: { city: COMPOSED } });
  expect(await found('/v1/contacts', text)).toEqual(['a@x.de']);
  expect(await found('/v1/contacts', text.toUpperCase())).toEqual(['a@x.de']);
  for (const [operator, value] of [
    ['equals', text],
    ['contains', text],
    ['startsWith', text],
    ['in', [text, 'x']],
  ] as const) {
    expect(await preview({ field: 'firstName', operator, value })).toBe(1);
    expect(await preview({ field: 'data.city', operator, value })).toBe(1);
  }
  const { body } = await api().get('/v1/contacts/fields/city/values').query({ search: text }).expect(200);
  expect(body.data.data).toEqual([{ value: COMPOSED, count: 1 }]);
});

test.each([DECOMPOSED, COMPOSED])('a template named in one form is found by %j', async (search) => {
  const template = { subject: 'x', body: 'x', fromEmail: 'a@b.de' };
  const names = [`${DECOMPOSED} ${search.length}`, `${COMPOSED} ${search.length}`];
  for (const name of names)
    await api()
      .post('/v1/templates')
      .send({ ...template, name })
      .expect(201);
  const { body } = await api()
    .get('/v1/templates')
    .query({ search: `${search} ${search.length}` })
    .expect(200);
  expect(body.data.data).toHaveLength(2);
});

describe('addresses with an internationalized domain are found as people write them', () => {
  const ASCII = 'ada@xn--bcher-kva.example';

  beforeEach(async () => {
    await api().post('/v1/contacts').send({ email: 'ada@bücher.example' }).expect(201);
    await api().post('/v1/suppressions').send({ email: 'ada@bücher.example' }).expect(201);
  });

  test.each(['bücher', 'BÜCHER.example', 'ada@bücher', 'bu\u0308cher', '@bücher.example', 'xn--bcher'])('by search: %s', async (search) => {
    expect(await found('/v1/contacts', search)).toEqual([ASCII]);
    expect(await found('/v1/suppressions', search)).toEqual([ASCII]);
  });

  test.each([
    ['equals', 'ada@bücher.example'],
    ['contains', 'bücher'],
    ['endsWith', '@BÜCHER.example'],
    ['startsWith', 'ada@bücher'],
    ['in', ['b@x.de', 'Ada@bücher.example']],
  ])('by a condition: %s %j', async (operator, value) => {
    expect(await preview({ field: 'email', operator, value })).toBe(1);
    expect(await preview({ field: 'firstName', operator, value })).toBe(0);
  });
});

test('mail to an internationalized domain is found by its address as people write it', async () => {
  const message = { to: 'ada@bücher.example', from: 'a@b.de', subject: 'x', text: 'x' };
  const { body } = await app.api(app.keys.test).post('/v1/send').send(message).expect(200);
  const list = await api().get('/v1/emails').query({ to: 'Ada@Bücher.example' }).expect(200);
  expect(list.body.data).toMatchObject([{ emailId: body.data.results[0].id }]);
});
