import { randomBytes } from 'node:crypto';
import { simpleParser } from 'mailparser';
import type { ParsedMail } from 'mailparser';
import { dkimVerifies } from '../support/checks/dkim-verifier';
import { waitingFor } from '../../src/upkeep/backlog';
import { aPlatform, eventually } from '../support/platform/platform';
import type { Answer } from '../support/platform/platform';
import type { ReceivedMail } from '../support/servers/smtp-fault-server';
import { stored } from '../support/data/stored';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const TOKEN = '[0-9a-z]{26}\\.[0-9a-z]{26}';

const platform = aPlatform();

const arrival = (to: string): Promise<ReceivedMail> => eventually(`a mail to ${to}`, () => platform.arrived(to)[0]);
const parse = ({ raw }: ReceivedMail): Promise<ParsedMail> => simpleParser(raw);
const emailOf = async (id: string): Promise<Answer['body']> => (await platform.get(`/v1/emails/${id}`)).body.data;
const billing = async (): Promise<Answer['body']> => (await platform.get('/v1/billing')).body.data;

/** Follows a link of a mail as a person with a browser would, on the address where the API is. */
function visit(url: string, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(url);
  return fetch(platform.url + pathname + search, { redirect: 'manual', ...init, headers: { 'user-agent': BROWSER, ...init.headers } });
}

const linkTo = (html: string, purpose: string): string => {
  const [found] = new RegExp(`http://[^"\\s<>]*/${purpose}/[^"\\s<>]+`).exec(html) ?? [];
  if (found === undefined) throw new Error(`No link /${purpose}/ in ${html}`);
  return found.replaceAll('&amp;', '&');
};

describe('a marketing mail', () => {
  const to = 'reader@example.com';
  let id: string;
  let mail: ReceivedMail;
  let html: string;

  beforeAll(async () => {
    id = await platform.send('Reader@Example.com', {
      type: 'marketing',
      subject: 'News for {{firstName | "you"}}',
      html: '<html><body><p>Hi</p><a href="https://shop.example/a?x=1&amp;y=2">Shop</a></body></html>',
    });
    mail = await arrival(to);
    html = (await parse(mail)).html || '';
  });

  test('arrives with all that a mailbox asks of bulk mail', async () => {
    const email = await platform.untilStatus(id, 'delivered');
    expect(mail.headers).toMatchObject({
      subject: 'News for you',
      'message-id': email.messageId,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'feedback-id': `send:${platform.keys.projectId}:marketing:lettermill`,
      date: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/),
    });
    expect(email.messageId).toMatch(new RegExp(`^<${id}@`));
    expect(mail.headers['list-unsubscribe']).toMatch(
      new RegExp(`^<http://[^>]+/u/${TOKEN}>, <mailto:u\\+${TOKEN}@bounce\\.lettermill\\.test\\?subject=unsubscribe>$`),
    );
    expect(mail.from).toMatch(new RegExp(`^b\\+${TOKEN}@bounce\\.lettermill\\.test$`));
  });

  test('is signed by its From domain, and no part of it can be changed', async () => {
    expect(mail.headers['dkim-signature']).toContain('d=hello.test;');
    expect(await dkimVerifies(mail.raw)).toBe(true);
    const spoilt = Buffer.from(mail.raw.toString('latin1').replace('News for you', 'Money for you'), 'latin1');
    expect(await dkimVerifies(spoilt)).toBe(false);
  });

  test('shows its footer in both parts, and no link that is not counted', async () => {
    const parsed = await parse(mail);
    expect(html).toContain('Unsubscribe</a>');
    expect(parsed.text).toMatch(/Unsubscribe: http/);
    expect(html).not.toContain('https://shop.example');
    const shown = await emailOf(id);
    expect(shown).toMatchObject({ to, subject: 'News for you', type: 'marketing', source: 'transactional', testMode: false });
  });

  test('counts an open, then a click that leads to the shop', async () => {
    const pixel = await visit(linkTo(html, 't/o'));
    expect([pixel.status, pixel.headers.get('content-type')]).toEqual([200, 'image/gif']);
    const opened = await platform.untilStatus(id, 'opened');
    expect(opened).toMatchObject({ opens: 1, clicks: 0, openedAt: expect.any(String), clickedAt: null });
    const click = await visit(linkTo(html, 't/c'));
    expect([click.status, click.headers.get('location')]).toEqual([302, 'https://shop.example/a?x=1&y=2']);
    const clicked = await platform.untilStatus(id, 'clicked');
    expect(clicked).toMatchObject({ opens: 1, clicks: 1, clickedAt: expect.any(String) });
    expect((await platform.eventNames(id)).slice(-2)).toEqual(['email.opened', 'email.clicked']);
  });

  test('lets its reader opt out by one click, which a look at the page does not', async () => {
    const [, url = ''] = /<(http[^>]+)>/.exec(mail.headers['list-unsubscribe'] ?? '') ?? [];
    expect((await visit(url)).status).toBe(200);
    expect(await stored.contacts.one({ email: to })).toMatchObject({ subscribed: true });
    const body = 'List-Unsubscribe=One-Click';
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await visit(url, { method: 'POST', body, headers: form })).status).toBe(200);
    expect(await stored.contacts.one({ email: to })).toMatchObject({ subscribed: false });
    const check = await platform.get(`/v1/suppressions/check?email=${to}`);
    expect(check.body.data).toMatchObject({ suppressed: true, suppression: { reason: 'unsubscribe', source: 'one_click' } });
    expect(await platform.eventNames(id)).toEqual(expect.arrayContaining(['email.queued', 'email.delivered', 'email.unsubscribed']));
  });

  test('is the last: the next one is skipped and costs nothing, a transactional one arrives', async () => {
    const { creditsUsed } = await billing();
    const message = { to, from: 'hello@hello.test', subject: 'Again', text: 'Again' };
    const skipped = await platform.post('/v1/send', { ...message, type: 'marketing' });
    expect([skipped.status, skipped.body.data.results]).toEqual([200, [{ to, skipped: 'unsubscribed' }]]);
    expect((await billing()).creditsUsed).toBe(creditsUsed);
    const receipt = await platform.send(to, { subject: 'Receipt' });
    await platform.untilStatus(receipt, 'delivered');
    expect(platform.arrived(to).map(({ headers }) => headers['subject'])).toEqual(['News for you', 'Receipt']);
    expect(platform.arrived(to)[1]?.headers['list-unsubscribe']).toBeUndefined();
  });
});

test('a mail can be seen in a browser', async () => {
  const to = 'viewer@example.com';
  await platform.send(to, { html: '<p>Hello {{email}}</p><a href="{{viewInBrowserUrl}}" data-no-track>View</a>' });
  const page = await visit(linkTo((await parse(await arrival(to))).html || '', 'v'));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<p>Hello viewer@example.com</p>')]);
});

test('a template lives through versions, a rollback, a send with variables and a test send', async () => {
  const content = {
    name: 'Welcome',
    subject: 'Welcome {{firstName | "friend"}}',
    body: '<p>Your code is {{code}}, {{plan | "free"}}.</p>',
    fromEmail: 'team@hello.test',
    fromName: 'The Team',
  };
  const created = await platform.post('/v1/templates', content);
  expect([created.status, created.body.data.version]).toEqual([201, 1]);
  const { templateId } = created.body.data;
  const path = `/v1/templates/${templateId}`;
  const patched = await platform.request('PATCH', path, { body: '<p>Code: {{code}}</p>' });
  expect(patched.body.data).toMatchObject({ version: 2, body: '<p>Code: {{code}}</p>', subject: content.subject });
  expect((await platform.request('PATCH', path, { name: 'Welcome!' })).body.data).toMatchObject({ version: 2, name: 'Welcome!' });

  const send = async (to: string, variables: object): Promise<ParsedMail> => {
    const { body } = await platform.post('/v1/send', { to, templateId, variables });
    await platform.untilStatus(body.data.results[0].id as string, 'delivered');
    return parse(await arrival(to));
  };
  const second = await send('second@example.com', { code: '<42>', firstName: 'Ada' });
  expect(second).toMatchObject({ subject: 'Welcome Ada', html: expect.stringContaining('<p>Code: &lt;42&gt;</p>') });
  expect(second.from?.value).toEqual([{ address: 'team@hello.test', name: 'The Team' }]);

  expect((await platform.post(`${path}/rollback`, { version: 1 })).body.data).toMatchObject({ version: 3, body: content.body });
  const versions = await platform.get(`${path}/versions`);
  expect((versions.body.data.data as { version: number; body: string }[]).map(({ version, body }) => [version, body])).toEqual([
    [3, content.body],
    [2, '<p>Code: {{code}}</p>'],
    [1, content.body],
  ]);
  const third = await send('third@example.com', { code: 7 });
  expect(third).toMatchObject({ subject: 'Welcome friend', html: expect.stringContaining('<p>Your code is 7, free.</p>') });

  const tested = await platform.post(`${path}/test-send`, { to: 'author@example.com', variables: { code: 1 } });
  expect([tested.status, tested.body.data]).toEqual([200, { id: expect.any(String), to: 'author@example.com', status: 'queued' }]);
  expect((await parse(await arrival('author@example.com'))).subject).toBe('[Test] Welcome friend');
  expect(await stored.contacts.count({ email: 'author@example.com' })).toBe(0);
});

test('attachments arrive byte for byte and cost a second credit', async () => {
  const { creditsUsed } = await billing();
  const bytes = [randomBytes(100_003), Buffer.from('\r\n.\r\n..\r\na,b\n\0ÿ'), Buffer.alloc(0)];
  const attachments = [
    { filename: 'photo.bin', content: bytes[0]?.toString('base64') },
    { filename: 'Übersicht “1”.csv', content: bytes[1]?.toString('base64'), contentType: 'text/csv' },
    { filename: 'empty.txt', content: '', contentType: 'text/plain' },
  ];
  const id = await platform.send('collector@example.com', { attachments });
  const parsed = await parse(await arrival('collector@example.com'));
  expect(parsed.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
    ['photo.bin', 'application/octet-stream'],
    ['Übersicht “1”.csv', 'text/csv'],
    ['empty.txt', 'text/plain'],
  ]);
  expect(parsed.attachments.map(({ content }, index) => content.equals(bytes[index] ?? Buffer.alloc(1)))).toEqual([true, true, true]);
  expect((await billing()).creditsUsed).toBe(creditsUsed + 2);
  const shown = await platform.untilStatus(id, 'delivered');
  expect((shown.attachments as { size: number }[]).map(({ size }) => size)).toEqual(bytes.map(({ length }) => length));
  expect(await dkimVerifies((await arrival('collector@example.com')).raw)).toBe(true);
});

test('an array of three with a duplicate is two mails, and both entries of the duplicate have one id', async () => {
  const { creditsUsed } = await billing();
  const to = ['one@example.com', { email: 'two@example.com', name: 'Two Of Us' }, 'ONE@example.com'];
  const { status, body } = await platform.post('/v1/send', {
    to,
    from: 'hello@hello.test',
    subject: 'Hi {{firstName}}{{email}}',
    text: 'Hi',
  });
  expect([status, body.data.testMode]).toEqual([200, false]);
  const { results } = body.data;
  expect(results).toEqual([
    { id: expect.any(String), to: 'one@example.com', status: 'queued' },
    { id: expect.any(String), to: 'two@example.com', status: 'queued' },
    { id: results[0].id, to: 'one@example.com', status: 'queued' },
  ]);
  for (const { id } of results) await platform.untilStatus(id as string, 'delivered');
  expect(platform.arrived('one@example.com')).toHaveLength(1);
  const [mail] = platform.arrived('two@example.com');
  expect(mail?.headers).toMatchObject({ to: expect.stringMatching(/Two Of Us/), subject: 'Hi Twotwo@example.com' });
  expect((await billing()).creditsUsed).toBe(creditsUsed + 2);
  expect(await stored.contacts.one({ email: 'two@example.com' })).toMatchObject({ firstName: 'Two', lastName: 'Of Us' });
});

test('what is scheduled can be cancelled: nothing goes out and the credit comes back', async () => {
  const { creditsUsed } = await billing();
  const sendAt = new Date(Date.now() + 3_000).toISOString();
  const [cancelled, kept] = [
    await platform.send('never@example.com', { sendAt, attachments: [{ filename: 'a', content: 'YQ==' }] }),
    await platform.send('soon@example.com', { sendAt }),
  ];
  expect(await emailOf(cancelled)).toMatchObject({ status: 'queued', scheduledFor: sendAt, sentAt: null });
  expect((await billing()).creditsUsed).toBe(creditsUsed + 3);
  const answer = await platform.request('DELETE', `/v1/emails/${cancelled}`);
  expect([answer.status, answer.body.data]).toEqual([200, { emailId: cancelled, status: 'cancelled' }]);
  expect((await billing()).creditsUsed).toBe(creditsUsed + 1);
  expect((await platform.request('DELETE', `/v1/emails/${cancelled}`)).body.code).toBe('invalid_state');
  const sent = await platform.untilStatus(kept, 'delivered');
  expect(Date.parse(sent.sentAt as string)).toBeGreaterThanOrEqual(Date.parse(sendAt));
  expect(platform.arrived('never@example.com')).toEqual([]);
  expect((await platform.request('DELETE', `/v1/emails/${kept}`)).body.code).toBe('invalid_state');
  expect((await billing()).creditsUsed).toBe(creditsUsed + 1);
});

test('the worker reads how old what waits is, also without METRICS_PORT', async () => {
  expect(platform.env['METRICS_PORT']).toBeUndefined();
  await eventually('it is read', waitingFor);
});
