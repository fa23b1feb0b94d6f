import { aProject } from '../../../support/platform/app';
import { onTheWireOf } from '../../../support/checks/wire';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const MESSAGE = { from: 'team@hello.test', subject: 'Hello', text: 'Hello' };
const ids = async (message: object): Promise<readonly string[]> => {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MESSAGE, ...message })
    .expect(200);
  return (body.data.results as readonly { id: string }[]).map(({ id }) => id);
};

test('names beside addresses are in the headers and make the contact, and results have the bare address', async () => {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({
      ...MESSAGE,
      to: 'Ada Lovelace <Ada@Example.com>',
      from: '"Team, Zoë" <team@hello.test>',
      replyTo: 'Help "Desk" <help@example.org>',
    })
    .expect(200);
  const [result] = body.data.results as [{ id: string; to: string }];
  expect(result.to).toBe('ada@example.com');
  const { parsed } = await onTheWireOf(app, result.id);
  expect([parsed.from?.value, parsed.to, parsed.replyTo?.value]).toEqual([
    [{ address: 'team@hello.test', name: 'Team, Zoë' }],
    expect.objectContaining({ value: [{ address: 'ada@example.com', name: 'Ada Lovelace' }] }),
    [{ address: 'help@example.org', name: 'Help Desk' }],
  ]);
  const contact = await app.api().get('/v1/contacts/ada@example.com').expect(200);
  expect(contact.body.data).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
  const email = await app.api().get(`/v1/emails/${result.id}`).expect(200);
  expect(email.body.data).toMatchObject({ fromName: 'Team, Zoë', replyTo: 'help@example.org', replyToName: 'Help Desk' });
});

test('an e-mail whose reply address has no name has no member for it', async () => {
  const [id = ''] = await ids({ to: 'grace@example.com', replyTo: 'help@example.org' });
  const email = await app.api().get(`/v1/emails/${id}`).expect(200);
  expect(email.body.data).not.toHaveProperty('replyToName');
});

test.each([
  '"a\\" <x@evil.test>, \\"b" <ada@example.com>',
  '=?utf-8?Q?=0D=0ABcc=3A_x=40evil.test?= <ada@example.com>',
  '"<x@evil.test>" <ada@example.com>',
])('a name brings neither a header nor an address: %s', async (to) => {
  const [id = ''] = await ids({ to, from: to.replace('ada@example.com', 'team@hello.test'), replyTo: to });
  const { envelopeTo, parsed } = await onTheWireOf(app, id);
  expect(envelopeTo).toBe('ada@example.com');
  const addresses = [parsed.from, parsed.to, parsed.replyTo].flatMap((field) => [field ?? []].flat()).flatMap(({ value }) => value);
  expect(addresses.map(({ address }) => address)).toEqual(['team@hello.test', 'ada@example.com', 'ada@example.com']);
  expect(parsed.headers.has('bcc')).toBe(false);
});
