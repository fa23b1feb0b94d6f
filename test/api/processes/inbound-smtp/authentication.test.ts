import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign';
import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { listeningOf } from '../../../../src/records/events/listeners';
import { aProject } from '../../../support/platform/app';
import { activate, always, node } from '../../../support/calls/automations';
import { aNameServer } from '../../../support/servers/dns-server';
import { anInboundServer } from '../../../support/platform/inbound-smtp';
import { documentsWith } from '../../../support/checks/traces';
import { stored } from '../../../support/data/stored';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

const dns = aNameServer();
const app = aProject(() => ({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', DNS_SERVERS: dns.address, INBOUND_ATTACHMENT_BYTES: '40' } }));
const smtp = anInboundServer(app);
let count = 0;

beforeEach(() => dns.names.clear());

const KEY_NAME = 'k1._domainkey.sender.com';
const mayFromHere = (domain: string, all = '-all') => dns.names.set(domain, { TXT: [`v=spf1 ip4:127.0.0.1 ${all}`] });
const asks = (domain: string, policy: string) => dns.names.set(`_dmarc.${domain}`, { TXT: [`v=DMARC1; ${policy}`] });

interface Sent {
  readonly author?: string;
  readonly envelope?: string;
  readonly more?: string;
  readonly body?: string;
  readonly signedBy?: string;
  /** How the message is changed after it was signed. */
  readonly altered?: (text: string) => string;
}

/** Hands a message in. Resolves to the row that lists it. */
async function received({ author = 'ada@sender.com', envelope = 'ada@sender.com', more = '', body = 'Hi', signedBy, altered }: Sent) {
  const to = `box${++count}@hello.test`;
  const text = `From: <${author}>\r\nTo: ${to}\r\nSubject: Hello\r\nMessage-ID: <m${count}@sender.com>\r\n${more}\r\n${body}\r\n`;
  const signature = signedBy === undefined ? '' : await sign(text, signedBy);
  const data = Buffer.from((altered ?? String)(signature + text));
  expect((await smtp.deliver({ from: envelope, to, data })).data).toMatch(/^250 /);
  const { body: answer } = await app.api().get('/v1/inbound').query({ to }).expect(200);
  return answer.data[0];
}

async function sign(text: string, signingDomain: string): Promise<string> {
  const signer = { signingDomain, selector: 'k1', privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  // Its types name none of the options that it signs by.
  const { signatures } = await dkimSign(text, {
    canonicalization: 'relaxed/relaxed',
    signTime: new Date(),
    signatureData: [signer],
  } as never);
  return signatures;
}

test('mail that its domain stands behind passes all three, in the list and in the event', async () => {
  mayFromHere('sender.com');
  asks('sender.com', 'p=reject');
  dns.names.set(KEY_NAME, { TXT: [KEY.match(/.{1,255}/g) ?? []] });
  const row = await received({ signedBy: 'sender.com' });
  const authentication = {
    spf: 'pass',
    spfDomain: 'sender.com',
    dkim: 'pass',
    dkimDomains: ['sender.com'],
    dmarc: 'pass',
    dmarcPolicy: 'reject',
  };
  expect(row.authentication).toEqual(authentication);
  const event = await stored.events.one({ emailId: row.emailId, name: 'email.received' });
  expect(event?.data).toMatchObject({ authentication });
});

test.each([
  ['without any record or signature', {}, {}, { spf: 'none', dkim: 'none', dmarc: 'none', dmarcPolicy: null }],
  ['forged: DNS names other hosts', { 'sender.com': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] } }, {}, { spf: 'fail', dmarc: 'none' }],
  ['doubtful', { 'sender.com': { TXT: ['v=spf1 ~all'] } }, {}, { spf: 'softfail' }],
  ['whose DNS fails', { 'sender.com': 'servfail', '_dmarc.sender.com': 'servfail' }, {}, { spf: 'temperror', dmarc: 'temperror' }],
  [
    'of another domain in the envelope',
    { 'other.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] }, '_dmarc.sender.com': { TXT: ['v=DMARC1; p=quarantine'] } },
    { envelope: 'mallory@other.com' },
    { spf: 'pass', spfDomain: 'other.com', dmarc: 'fail', dmarcPolicy: 'quarantine' },
  ],
  [
    'of a subdomain in the envelope',
    { 'b.sender.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] }, '_dmarc.sender.com': { TXT: ['v=DMARC1; p=none'] } },
    { envelope: 'b@b.sender.com' },
    { spf: 'pass', dmarc: 'pass' },
  ],
  [
    'of a subdomain where alignment is to be strict',
    { 'b.sender.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] }, '_dmarc.sender.com': { TXT: ['v=DMARC1; p=none; aspf=s'] } },
    { envelope: 'b@b.sender.com' },
    { spf: 'pass', dmarc: 'fail' },
  ],
  [
    'with two authors',
    { 'sender.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] }, '_dmarc.sender.com': { TXT: ['v=DMARC1; p=none'] } },
    { more: 'From: <other@elsewhere.com>\r\n' },
    { spf: 'pass', dmarc: 'permerror' },
  ],
  ['with signatures beyond counting', {}, { more: 'DKIM-Signature: v=1; d=x.com; s=k; b=YQ==\r\n'.repeat(11) }, { dkim: 'policy' }],
] as const)('mail %s', async (_kind, names, sent: Sent, expected) => {
  for (const [name, zone] of Object.entries(names)) dns.names.set(name, zone as never);
  expect((await received(sent)).authentication).toMatchObject(expected);
});

test('a signature of another domain does not speak for the author, and a signature of changed text for no one', async () => {
  asks('sender.com', 'p=reject');
  for (const name of [KEY_NAME, 'k1._domainkey.list.org']) dns.names.set(name, { TXT: [KEY.match(/.{1,255}/g) ?? []] });
  expect((await received({ signedBy: 'list.org' })).authentication).toMatchObject({
    dkim: 'pass',
    dkimDomains: ['list.org'],
    dmarc: 'fail',
  });
  const changed = await received({ signedBy: 'sender.com', altered: (text) => text.replace('\r\nHi\r\n', '\r\nHo\r\n') });
  expect(changed.authentication).toMatchObject({ dkim: 'neutral', dkimDomains: [], dmarc: 'fail' });
});

test('a key that its domain tries out counts as no signature', async () => {
  asks('sender.com', 'p=reject');
  dns.names.set(KEY_NAME, { TXT: [`${KEY}; t=y`.match(/.{1,255}/g) ?? []] });
  expect((await received({ signedBy: 'sender.com' })).authentication).toMatchObject({ dkim: 'none', dkimDomains: [], dmarc: 'fail' });
});

test('a host may be named by any letter of the sender’s address', async () => {
  dns.names.set('sender.com', { TXT: ['v=spf1 exists:%{l}._spf.%{d} -all'] });
  dns.names.set('prvs=1/ada._spf.sender.com', { A: ['127.0.0.2'] });
  expect((await received({ envelope: 'prvs=1/ada@sender.com' })).authentication).toMatchObject({ spf: 'pass' });
  expect((await received({ envelope: 'prvs=2/ada@sender.com' })).authentication).toMatchObject({ spf: 'fail' });
});

test('a large message is judged as a small one is', async () => {
  mayFromHere('sender.com');
  dns.names.set(KEY_NAME, { TXT: [KEY.match(/.{1,255}/g) ?? []] });
  const body = 'All  of this \t line.\r\n'.repeat(100_000);
  expect((await received({ body, signedBy: 'sender.com' })).authentication).toMatchObject({ spf: 'pass', dkim: 'pass' });
  expect((await received({ body, signedBy: 'sender.com', altered: (text) => `${text}More\r\n` })).authentication).toMatchObject({
    dkim: 'neutral',
  });
});

test('an automation is begun by mail that its domain stands behind, and by no other', async () => {
  const passes = { logic: 'and', groups: [{ filters: [{ field: 'trigger.authentication.dmarc', operator: 'equals', value: 'pass' }] }] };
  const graph = { nodes: [node('start', 'trigger', { filter: passes })], edges: [] };
  const workflowId = await activate(app, graph, { ...always, trigger: 'event:email.received' });
  asks('sender.com', 'p=reject');
  const began = async (): Promise<number> => {
    const { emailId, contactId } = await received({});
    const event = await stored.events.one({ emailId, name: 'email.received' });
    if (!event) throw new Error('It came and no event says so');
    await automationTriggers.handle(app.core, event, (await listeningOf(event.projectId)).version);
    return stored.executions.count({ contactId });
  };
  dns.names.set('sender.com', { TXT: ['v=spf1 ip4:192.0.2.1 -all'] });
  expect(await began()).toBe(0);
  mayFromHere('sender.com');
  expect(await began()).toBe(1);
  // While it listens, events of received mail wait for it, and are erased afterwards only.
  await app.api().post(`/v1/workflows/${workflowId}/executions/cancel-all`).expect(200);
  await app.api().delete(`/v1/workflows/${workflowId}`).expect(200);
});

const withFiles = (...files: readonly (readonly [name: string, text: string])[]): Sent => ({
  more: 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="m"\r\n',
  body: `--m\r\nContent-Type: text/plain\r\n\r\nHi\r\n${files
    .map(
      ([name, text]) =>
        `--m\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n`,
    )
    .join('')}--m--`,
});

const attachmentAt = (emailId: string, place: string, key?: string) => app.api(key).get(`/v1/inbound/${emailId}/attachments/${place}`);

test('what a message answers is shown, and where its answer is to go', async () => {
  const more = 'Reply-To: Team <Help@Sender.com>\r\nIn-Reply-To: <a@x.com>\r\nReferences: <0@x.com>\r\n <a@x.com>\r\n';
  const row = await received({ more });
  expect(row).toMatchObject({ replyTo: 'help@sender.com', inReplyTo: '<a@x.com>', references: ['<0@x.com>', '<a@x.com>'] });
  const event = await stored.events.one({ emailId: row.emailId, name: 'email.received' });
  expect(event?.data).toMatchObject({ replyTo: 'help@sender.com', inReplyTo: '<a@x.com>' });
});

test('attachments are kept as far as there is room, and can be had by their project alone', async () => {
  const row = await received(withFiles(['../pöm.html', '<script>poem</script>'], ['large.html', 'x'.repeat(41)], ['last.html', 'last']));
  expect(row.attachments).toEqual([
    { attachmentId: '0', filename: 'pöm.html', contentType: 'text/html', size: 21, kept: true },
    { attachmentId: '1', filename: 'large.html', contentType: 'text/html', size: 41, kept: false },
    { attachmentId: '2', filename: 'last.html', contentType: 'text/html', size: 4, kept: true },
  ]);
  const answer = await attachmentAt(String(row.emailId), '0').buffer(true).expect(200);
  expect(answer.text).toBe('<script>poem</script>');
  expect(answer.headers).toMatchObject({
    'content-disposition': "attachment; filename*=UTF-8''p%C3%B6m.html",
    'x-content-type-options': 'nosniff',
  });
  for (const place of ['1', '3', '-1', 'length']) await attachmentAt(String(row.emailId), place).expect(404);
  await attachmentAt(String(row.emailId), '0', app.otherKeys.secret).expect(404);
});

test('no attachment and no word of a deleted sender’s conversation is left; another’s stays', async () => {
  const files = withFiles(['secret.html', 'about-clara-only']);
  const [mine, both] = [{ ...files, author: 'clara@gone.com' }, withFiles(['shared.html', 'shared-words'])];
  const more = `${files.more ?? ''}In-Reply-To: <clara-thread@x.com>\r\nReply-To: clara.reply@gone.com\r\n`;
  const row = await received({ ...mine, more });
  await received({ ...both, author: 'clara@gone.com' });
  const kept = await received({ ...both, author: 'dora@kept.com' });
  await app.api().delete('/v1/contacts/clara@gone.com').expect(200);
  await attachmentAt(String(row.emailId), '0').expect(404);
  expect((await attachmentAt(String(kept.emailId), '0').buffer(true).expect(200)).text).toBe('shared-words');
  expect(await stored.blobs.count({ bytes: Buffer.from('about-clara-only') as never })).toBe(0);
  const words = ['about-clara-only', 'secret.html', 'clara-thread', 'clara.reply'];
  expect(await documentsWith(words)).toEqual([]);
});
