import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const SUBJECT =
  '{{firstName}} {{lastName}} {{locale}} {{contactId}} {{data.plan}} {{data.seats}} {{data.isPaid}} {{data.address.city}} {{#each data.tags}}<{{this}}>{{/each}}';
const data = { plan: 'grün', seats: 12, isPaid: false, address: { city: 'Łódź' }, tags: ['a', 'b'] };

/** Of the message to a contact whose every kind of value its subject reads. */
async function subjectTo(
  email: string,
  send: (message: object) => Promise<string>,
): Promise<{ readonly subject: unknown; readonly contactId: string }> {
  const contact = { email, firstName: 'Ada', lastName: 'Lovelace', locale: 'pl', data };
  const { contactId } = (await app.api().post('/v1/contacts').send(contact).expect(201)).body.data as { contactId: string };
  const id = await send({ to: email, from: 'team@hello.test', subject: SUBJECT, text: 'Hi' });
  return { subject: (await stored.emails.one(id))?.subject, contactId };
}

const expected = (contactId: string): string => `Ada Lovelace pl ${contactId} grün 12 false Łódź <a><b>`;

test('a send reads what its contact holds, values of every kind among it', async () => {
  const { subject, contactId } = await subjectTo('one@example.com', async (message) => {
    const { body } = await app.api().post('/v1/send').send(message).expect(200);
    return body.data.results[0].id as string;
  });
  expect(subject).toBe(expected(contactId));
});

test('so does a message of a batch that is large enough to look its contacts up by itself', async () => {
  const { subject, contactId } = await subjectTo('many@example.com', async (message) => {
    const others = Array.from({ length: 150 }, (_, n) => ({ ...message, to: `other${n}@example.com` }));
    const { body } = await app
      .api()
      .post('/v1/send/batch')
      .send({ messages: [...others, message] })
      .expect(200);
    return (body.data.results as { id: string }[]).at(-1)?.id ?? '';
  });
  expect(subject).toBe(expected(contactId));
});
