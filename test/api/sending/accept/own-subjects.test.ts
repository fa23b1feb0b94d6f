import { activate, chain, contact, play, send as sendNode } from '../../../support/calls/automations';
import { onTheWireOf } from '../../../support/checks/wire';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', PUBLIC_URL: 'https://mail.example.net' } });

const SUBJECT = '{{year}} {{unsubscribeUrl}} {{viewInBrowserUrl}}';
const MAIL = { from: 'team@hello.test', subject: SUBJECT, html: '<p><a href="{{unsubscribeUrl}}">out</a> {{viewInBrowserUrl}}</p>' };
const DAY_MS = 86_400_000;

/** The year in a subject, whose links are the message's own; a key sees them without their tokens. */
async function yearOf(id: string, prefix = ''): Promise<number> {
  const { parsed, raw } = await onTheWireOf(app, id);
  const [, shownYear, out, view] = new RegExp(`^${prefix}(\\d{4}) (\\S+) (\\S+)$`).exec(parsed.subject ?? '') ?? [];
  expect(raw).not.toContain('example.invalid');
  expect(parsed.html).toContain(`"${out}"`);
  expect(parsed.html).toContain(view);
  expect([out, view]).toEqual([expect.stringMatching(/^https:\/\/mail\.example\.net\/u\//), expect.stringMatching(/\/v\//)]);
  const { body } = await app.api().get(`/v1/emails/${id}`).expect(200);
  expect(body.data.subject).toBe(`${prefix.replaceAll('\\', '')}${shownYear} https://mail.example.net/u/… https://mail.example.net/v/…`);
  await app
    .api(null)
    .get(new URL(view ?? '').pathname)
    .expect(200);
  return Number(shownYear);
}

const thisYear = (): number => new Date().getUTCFullYear();
const idOf = (body: unknown, at = 0): string => (body as { data: { results: { id: string }[] } }).data.results[at]?.id ?? '';

test('platform links and the year in the subject of a message are its own', async () => {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MAIL, to: 'ada@example.com' })
    .expect(200);
  expect(await yearOf(idOf(body))).toBe(thisYear());
});

test('so they are for each recipient, in a batch, and for a copy', async () => {
  const to = ['one@example.com', 'two@example.com'];
  const many = (
    await app
      .api()
      .post('/v1/send')
      .send({ ...MAIL, to })
      .expect(200)
  ).body;
  for (const at of [0, 1]) expect(await yearOf(idOf(many, at))).toBe(thisYear());
  const messages = to.map((each) => ({ ...MAIL, to: each }));
  const batch = (await app.api().post('/v1/send/batch').send({ messages }).expect(200)).body;
  for (const at of [0, 1]) expect(await yearOf(idOf(batch, at))).toBe(thisYear());
  const { data } = (
    await app
      .api()
      .post('/v1/send')
      .send({ ...MAIL, to: 'ada@example.com', cc: ['bob@example.com'] })
      .expect(200)
  ).body;
  expect(await yearOf(data.cc[0].id as string)).toBe(thisYear());
});

test('a scheduled message names the year in which it goes out, also after it was moved', async () => {
  const sendAt = new Date(Date.now() + 200 * DAY_MS);
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MAIL, to: 'ada@example.com', sendAt })
    .expect(200);
  expect(await yearOf(idOf(body))).toBe(sendAt.getUTCFullYear());
  const moved = new Date(Date.UTC(sendAt.getUTCFullYear() === thisYear() ? thisYear() + 1 : thisYear(), 0, 1) + DAY_MS);
  const later = moved.getTime() > Date.now() ? moved : new Date(Date.now() + 3_600_000);
  await app
    .api()
    .patch(`/v1/emails/${idOf(body)}`)
    .send({ sendAt: later })
    .expect(200);
  expect(await yearOf(idOf(body))).toBe(later.getUTCFullYear());
});

test('a test of a template, and the mail of an automation, have their own too', async () => {
  const template = { name: 'T', subject: SUBJECT, body: MAIL.html, fromEmail: MAIL.from };
  const { templateId } = (await app.api().post('/v1/templates').send(template).expect(201)).body.data as { templateId: string };
  const tested = await app.api().post(`/v1/templates/${templateId}/test-send`).send({ to: 'ada@example.com' }).expect(200);
  expect(await yearOf(tested.body.data.id as string, '\\[Test\\] ')).toBe(thisYear());

  const graph = chain(sendNode('mail', { subject: SUBJECT, body: MAIL.html }));
  const contactId = await contact(app, { email: 'grace@example.com' });
  await play(app, await activate(app, graph), contactId);
  const [email] = await stored.emails.all({ to: 'grace@example.com', source: 'workflow' });
  expect(await yearOf(email?._id ?? '')).toBe(thisYear());
});
