import request from 'supertest';
import { loggedOutcome, postponed } from '../../../../src/sending/deliver/outcome';
import { record } from '../../../../src/sending/deliver/record';
import { wireMail } from '../../../support/checks/wire';
import { claim } from '../../../../src/records/emails/attempts';
import type { Email } from '../../../../src/records/emails/model';
import { toEmail } from '../../../../src/records/emails/row';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { claimOf } from '../../../support/data/claims';
import { RULES, accepted, failed, refused, unknownUser } from '../../../support/data/finished';
import type { Judge } from '../../../support/data/finished';
import { publicUrls } from '../../../support/calls/public-urls';
import { documentsWith } from '../../../support/checks/traces';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
let people = 0;

const WORDS = ['secret-subject', 'secret-body', 'secret-value', 'secret-header', 'secret-bytes'];
const message = (change: object = {}) => ({
  to: `person${++people}@example.com`,
  subject: 'secret-subject {{code}}',
  html: '<p>secret-body {{code}}</p>',
  variables: { code: 'secret-value' },
  headers: { 'X-Code': 'secret-header' },
  attachments: [{ filename: 'code.txt', content: Buffer.from('secret-bytes').toString('base64'), contentType: 'text/plain' }],
  createContact: false,
  retainContent: false,
  ...change,
});

/** Resolves to the ids of the accepted messages. */
async function send(change: object = {}, key?: string): Promise<readonly string[]> {
  const { body } = await app.api(key).post('/v1/send').send(message(change)).expect(200);
  return (body as { data: { results: { id: string }[] } }).data.results.map(({ id }) => id);
}

const rowOf = async (id: string): Promise<Email> => toEmail(await stored.emails.get(id));

/** What a worker does: claims the message, composes it and records what became of it. Resolves to what went over the wire. */
async function attempt(id: string, judge: Judge, now = new Date()): Promise<string> {
  const attempting = { id: newId('att'), worker: 'wrk_test', at: now };
  await claim(claimOf([{ _id: id, projectId: app.keys.projectId }], attempting, now));
  const email = await rowOf(id);
  const { message: sent } = await wireMail(app.core, email);
  await record(app.core, [judge(email, now)]);
  return sent;
}

const shown = async (id: string, key?: string) =>
  (await app.api(key).get(`/v1/emails/${id}`).expect(200)).body.data as Readonly<Record<string, unknown>>;

/** Attachments that anybody can read who has the database. */
async function plainAttachments(): Promise<number> {
  const blobs = await stored.blobs.all();
  return blobs.filter(({ bytes }) => Buffer.from(bytes.buffer).includes('secret-bytes')).length;
}

const NOTHING = { subject: '', body: '', text: '', headers: null, contentKept: false };

test.each<readonly [string, Judge, string]>([
  ['delivered', accepted, 'delivered'],
  ['logged as sent', loggedOutcome, 'sent'],
  ['failed', failed, 'failed'],
  ['bounced', unknownUser, 'bounced'],
  ['refused', refused, 'bounced'],
])('the content of a message that is %s is gone the moment that is recorded', async (_what, judge, status) => {
  const [id = ''] = await send();
  expect(await documentsWith(['secret-subject', 'secret-body', 'secret-value', 'secret-header'])).toHaveLength(4);
  expect(await plainAttachments()).toBe(0);
  const sent = await attempt(id, judge);
  expect(sent).toContain('secret-body secret-value');
  expect(sent).toContain(Buffer.from('secret-bytes').toString('base64'));
  expect(await documentsWith(WORDS)).toEqual([]);
  expect(await shown(id)).toMatchObject({
    ...NOTHING,
    status,
    attachments: [{ filename: 'code.txt', contentType: 'text/plain', size: 12 }],
  });
  expect((await rowOf(id)).attachments).toEqual([{ filename: 'code.txt', contentType: 'text/plain', size: 12, blobId: null }]);
});

test('a message that is put off keeps what it says until it is over', async () => {
  const [id = ''] = await send();
  await attempt(id, (email, at) => postponed(email, '450 Later', RULES, at));
  const { status, dueAt, content } = await rowOf(id);
  expect([status, content]).toEqual(['queued', 'passing']);
  expect(await shown(id)).toMatchObject({ subject: 'secret-subject secret-value', body: '<p>secret-body secret-value</p>' });
  expect(await shown(id)).not.toHaveProperty('contentKept');
  const again = await attempt(id, accepted, dueAt);
  expect(again).toContain('secret-body secret-value');
  expect(await documentsWith(WORDS)).toEqual([]);
});

test('a cancelled one loses it with the cancel', async () => {
  const [id = ''] = await send({ sendAt: new Date(Date.now() + 3_600_000).toISOString() });
  expect(await shown(id)).toMatchObject({ subject: 'secret-subject secret-value' });
  await app.api().delete(`/v1/emails/${id}`).expect(200);
  expect(await documentsWith(WORDS)).toEqual([]);
  expect(await shown(id)).toMatchObject({ ...NOTHING, status: 'cancelled' });
});

test('mail in test mode, which is sent at once, is never stored with it', async () => {
  const [id = ''] = await send({}, app.keys.test);
  expect(await documentsWith(WORDS)).toEqual([]);
  expect(await shown(id, app.keys.test)).toMatchObject({ ...NOTHING, status: 'sent' });
});

test('what several recipients get, and what a template says, is in each message and shared with none', async () => {
  const contents = await stored.contents.count();
  const ids = await send({ to: ['first@example.com', 'second@example.com'] });
  expect(await stored.contents.count()).toBe(contents);
  await attempt(ids[0] ?? '', accepted);
  expect(await attempt(ids[1] ?? '', accepted)).toContain('secret-body secret-value');
  expect(await documentsWith(WORDS)).toEqual([]);

  const template = await app
    .api()
    .post('/v1/templates')
    .send({ name: 'Code', subject: 'Code', body: '<p>Yours: {{code}}</p>', fromEmail: 'a@hello.test' });
  const { templateId } = (template.body as { data: { templateId: string } }).data;
  const [id = ''] = await send({ subject: undefined, html: undefined, templateId, headers: undefined, attachments: undefined });
  expect(await attempt(id, accepted)).toContain('Yours: secret-value');
  expect(await documentsWith(['secret-value'])).toEqual([]);
  expect(await shown(id)).toMatchObject(NOTHING);
});

test('each message of a batch has its own wish to retain content, also where they say the same', async () => {
  const messages = [message(), message({ retainContent: true, to: 'kept@example.com' }), message({ to: 'third@example.com' })];
  const { body } = await app.api().post('/v1/send/batch').send({ messages }).expect(200);
  const ids = (body as { data: { results: { id: string }[] } }).data.results.map(({ id }) => id);
  for (const id of ids) await attempt(id, accepted);
  const bodies = await Promise.all(ids.map(async (id) => (await shown(id))['body']));
  expect(bodies).toEqual(['', '<p>secret-body secret-value</p>', '']);
});

test('the link to the message says kindly that it is not kept', async () => {
  const [id = ''] = await send();
  const { viewInBrowserUrl } = publicUrls(app.core, id);
  const path = viewInBrowserUrl.slice(app.core.config.PUBLIC_URL.length);
  await request(app.url)
    .get(path)
    .expect(200, /secret-body secret-value/);
  await attempt(id, accepted);
  const { text } = await request(app.url).get(path).expect(410);
  expect(text).toContain('This message is no longer available');
});

test('what goes with each message is bounded over all recipients', async () => {
  const to = Array.from({ length: 50 }, (_, index) => `bounded${index}@example.com`);
  const html = 'x'.repeat(400_000);
  const { body } = await app
    .api()
    .post('/v1/send')
    .send(message({ to, html, attachments: undefined }))
    .expect(413);
  expect((body as { code: string }).code).toBe('payload_too_large');
  await app
    .api()
    .post('/v1/send')
    .send(message({ to, html, attachments: undefined, retainContent: true }))
    .expect(200);
});

test('the wish to retain content is a yes or a no', async () => {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send(message({ retainContent: 'no' }))
    .expect(422);
  expect(body).toMatchObject({ details: [{ path: 'retainContent', code: 'invalid_type' }] });
});
