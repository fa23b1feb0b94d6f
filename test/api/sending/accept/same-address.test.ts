import { wireMail } from '../../../support/checks/wire';
import { toEmail } from '../../../../src/records/emails/row';
import type { EmailRow } from '../../../../src/records/emails/row';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
let count = 0;

type Recipient = string | { readonly email: string; readonly name?: string };

/** What the mail of the one message says that came of several entries. */
async function mailOf(to: readonly Recipient[]): Promise<string> {
  const message = { from: 'team@hello.test', subject: 'Hi {{firstName}}', text: 'Dear {{firstName}} {{lastName}}', to };
  const { body } = await app.api().post('/v1/send').send(message).expect(200);
  const ids = new Set((body.data.results as { id: string }[]).map(({ id }) => id));
  expect(body.data.results).toHaveLength(to.length);
  expect(ids.size).toBe(1);
  return wireOf([...ids][0] as string);
}

async function wireOf(emailId: string): Promise<string> {
  const row = await stored.emails.one(emailId);
  return (await wireMail(app.core, toEmail(row as EmailRow))).message;
}

test.each<[string, (email: string) => readonly Recipient[]]>([
  ['without a name first', (email) => [email, { email: email.toUpperCase(), name: 'Ada Lovelace' }, { email, name: 'Eve Late' }]],
  ['with a name first', (email) => [{ email, name: 'Ada Lovelace' }, { email, name: 'Eve Late' }, email]],
  [
    'with an empty name first',
    (email) => [
      { email, name: '' },
      { email, name: 'Ada Lovelace' },
    ],
  ],
])('an address that comes again in one `to` (%s) is written to under the first name given', async (_order, toOf) => {
  const email = `same${++count}@example.com`;
  const mail = await mailOf(toOf(email));
  expect(mail).toContain(`To: Ada Lovelace <${email}>\r\n`);
  expect(mail).toContain('Subject: Hi Ada\r\n');
  expect(mail).toContain('Dear Ada Lovelace');
  const contact = await app
    .api()
    .get(`/v1/contacts/${encodeURIComponent(email)}`)
    .expect(200);
  expect(contact.body.data).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
});

test.each([
  ['marketing', 'send'],
  ['transactional', 'send'],
])('Feedback-ID names the type of a message: %s', async (type, of) => {
  const given = { from: 'team@hello.test', subject: 'Hi', text: 'Hi', to: `kind${++count}@example.com`, type };
  const { body } = await app.api().post('/v1/send').send(given).expect(200);
  expect(await wireOf(body.data.results[0].id as string)).toContain(`Feedback-ID: ${of}:${app.keys.projectId}:${type}:lettermill\r\n`);
});

test.each([
  ['a campaign', { campaignId: 'cmp_1' }, 'cmp_1'],
  ['an automation', { workflowId: 'wfl_1' }, 'wfl_1'],
  ['a template', { templateId: 'tpl_1' }, 'tpl_1'],
])('Feedback-ID begins with what the message belongs to: %s', async (_what, belongs, first) => {
  const given = { from: 'team@hello.test', subject: 'Hi', text: 'Hi', to: `of${++count}@example.com`, type: 'marketing' };
  const { body } = await app.api().post('/v1/send').send(given).expect(200);
  const row = await stored.emails.one(body.data.results[0].id as string);
  const { message } = await wireMail(app.core, { ...toEmail(row as EmailRow), ...belongs });
  expect(message).toContain(`Feedback-ID: ${first}:${app.keys.projectId}:marketing:lettermill\r\n`);
});
