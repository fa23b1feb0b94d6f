import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { platformOf } from '../../../../src/processes/admin/platform';
import { parseRequest } from '../../../../src/processes/admin/request';
import { loadConfig } from '../../../../src/platform/config/config';
import { activate, chain, contact, drive, enrol, send } from '../../../support/calls/automations';
import { claimCalls } from '../../../support/calls/campaign-claims';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { expectToClose } from '../../../support/checks/certificates';
import type { Certificate } from '../../../support/checks/certificates';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { eventually } from '../../../support/platform/platform';
import { aFolder } from '../../../support/run/folder';
import { processCode } from '../../../support/run/servers';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_CONNECTIONS: '4', LEDGER_CHUNK: '4' },
}));
const host = aDeliveryHost(app);
const folder = aFolder();
const { running, rows, act, api, finish, deliver, draft } = campaignCalls(() => app);
const { claimed, takeOver } = claimCalls(() => app);
const { page, wholePage } = campaignPages(
  () => app,
  () => host,
);

beforeEach(async () => {
  smtp.script = {};
  await Promise.all([stored.emails.remove(), stored.contacts.remove(), stored.suppressions.remove()]);
});

const certificateOf = async (id: string): Promise<Certificate> =>
  (await api().get(`/v1/campaigns/${id}/certificate`).expect(200)).body.data as Certificate;
const csvOf = async (id: string): Promise<string> =>
  (await api().get(`/v1/campaigns/${id}/certificate`).query({ format: 'csv' }).expect(200)).text;

/** Asks for the certificate again and again until `work` is done; each has to close, and none counts fewer as sent than the one before. */
async function polled(id: string, work: () => Promise<unknown>): Promise<readonly Certificate[]> {
  const seen: Certificate[] = [];
  let isDone = false;
  const poll = async (): Promise<void> => {
    while (!isDone) seen.push(await certificateOf(id));
  };
  const polling = poll();
  await work().finally(() => {
    isDone = true;
  });
  await polling;
  seen.push(await certificateOf(id));
  for (const certificate of seen) expectToClose(certificate);
  const sent = seen.map((certificate) => certificate.sent);
  expect(sent).toEqual([...sent].sort((one, other) => one - other));
  return seen;
}

test('the sums close in every poll of a campaign that is sent, paused, corrected, continued and cancelled', async () => {
  const size = 80;
  const id = await running(size);
  const before = smtp.messages.length;
  /** The mail server keeps what comes after `count` messages until `work` is done. */
  const keptAfter = async (count: number, work: () => PromiseLike<unknown>): Promise<void> => {
    const isFull = () => smtp.messages.length >= before + count;
    const worked = new EventEmitter();
    const until = once(worked, 'done');
    smtp.script = () => ({ dot: isFull() ? { until } : { delayMs: 10 } });
    await eventually(`${count} messages are out`, isFull);
    try {
      await work();
    } finally {
      worked.emit('done');
    }
  };
  const seen = await polled(id, async () => {
    const first = page(id);
    await keptAfter(15, () => act(id, 'pause').expect(200));
    await first;
    await act(id, 'revise', { subject: 'Corrected' }).expect(200);
    await act(id, 'resume').expect(200);
    const second = page(id);
    await keptAfter(40, () => act(id, 'cancel').expect(200));
    await second;
    await finish(id, true);
  });
  const last = seen.at(-1) as Certificate;
  const arrived = smtp.messages.length - before;
  expect(last).toMatchObject({ audience: size, sent: arrived, delivered: arrived, pending: 0, skipped: { cancelled: size - arrived } });
  expect(last.byVersion.map(({ version }) => version)).toEqual([1, 2]);
  expect(seen.some(({ pending, inDoubt }) => pending > 0 && inDoubt > 0)).toBe(true);
});

test('every outcome has its figure, in the JSON and in a line of the CSV', async () => {
  const id = await running(13);
  const all = await rows(id);
  const now = new Date();
  const { contentIds } = await stored.campaigns.get(id);
  const contentId = contentIds?.a ?? '';
  const attempt = { id: 'att_1', worker: 'wrk_1', at: now };
  const given: readonly (readonly [expected: string, change: object])[] = [
    ['delivered,', {}],
    ['delivered,', { status: 'clicked', clickedAt: now }],
    ['bounced,hard', { status: 'bounced', bouncedAt: now, bounceType: 'hard', deliveredAt: null }],
    ['bounced,soft', { status: 'bounced', bouncedAt: now, bounceType: 'soft', sentAt: null, deliveredAt: null }],
    ['bounced,block', { status: 'bounced', bouncedAt: now, bounceType: 'block', sentAt: null, deliveredAt: null }],
    ['failed,', { status: 'failed', sentAt: null, deliveredAt: null }],
    ['deferred,', { status: 'queued', attempt, dueAt: new Date(now.getTime() + 60_000), sentAt: null, deliveredAt: null }],
    ['in_doubt,no_reply', { status: 'queued', attempt, dueAt: now, sentAt: null, deliveredAt: null }],
    ['in_doubt,under_way', { status: 'sending', attempt, sentAt: null, deliveredAt: null }],
    ['in_doubt,no_report', { status: 'sent', deliveredAt: null }],
    ['failed,cancelled', { status: 'cancelled', sentAt: null, deliveredAt: null }],
  ];
  for (const [index, [, change]] of given.entries()) await deliver([all[index] as (typeof all)[number]], { contentId, ...change });
  await stored.recipients.change(all[11]?._id ?? '', { status: 'skipped', skipReason: 'suppressed' });

  const certificate = await certificateOf(id);
  expectToClose(certificate);
  const figures = { sent: 11, delivered: 2, bounced: { hard: 1, soft: 1, block: 1 }, failed: 2, deferred: 1, inDoubt: 3 };
  expect(certificate).toEqual({
    campaignId: id,
    audience: 13,
    ...figures,
    skipped: { suppressed: 1 },
    pending: 1,
    byVersion: [{ version: 1, ...figures }],
    final: false,
    finalAt: null,
    asOf: expect.stringMatching(/^\d{4}-/),
    chain: { algorithm: 'sha256', head: expect.stringMatching(/^[0-9a-f]{64}$/), rows: 13 },
  });

  const [header, ...lines] = (await csvOf(id)).split('\r\n');
  expect(header).toBe('recipientId,contactId,emailId,outcome,reason,contentVersion,attempts,sentAt,hash');
  expect(lines.pop()).toBe('');
  expect(lines.at(-1)?.split(',').at(-1)).toBe(certificate.chain.head);
  expect(lines.map((line) => line.split(',').slice(3, 5).join(','))).toEqual([
    ...given.map(([expected]) => expected),
    'skipped,suppressed',
    'pending,',
  ]);
  expect(lines.map((line) => line.split(',')[1])).toEqual(all.map(({ contactId }) => contactId));
  expect(lines.join()).not.toContain('@');
});

test('messages of a lost worker are in doubt, before and after they are taken over', async () => {
  const id = await running(3);
  await claimed(id);
  expect(await certificateOf(id)).toMatchObject({ audience: 3, sent: 3, inDoubt: 3, pending: 0 });
  await takeOver();
  const after = await certificateOf(id);
  expectToClose(after);
  expect(after).toMatchObject({ sent: 3, inDoubt: 3, deferred: 0, byVersion: [{ version: 1, sent: 3 }] });
});

test('a campaign is final once it is over and nothing can bounce late any more', async () => {
  const id = await running(2);
  await wholePage(id);
  expect(await certificateOf(id)).toMatchObject({ sent: 2, final: false, finalAt: null });
  await finish(id);
  const [first] = (await rows(id)).map(({ emailId }) => emailId);
  const sentAt = (await Promise.all((await rows(id)).map(({ emailId }) => stored.emails.get(emailId)))).map((row) => Number(row.sentAt));
  const days = 14 * 86_400_000;
  expect(await certificateOf(id)).toMatchObject({ final: false, finalAt: new Date(Math.max(...sentAt) + days).toISOString() });
  await Promise.all((await rows(id)).map(({ emailId }) => stored.emails.change(emailId, { sentAt: new Date(Date.now() - days - 1_000) })));
  expect(await certificateOf(id)).toMatchObject({ final: true });
  await stored.emails.change(first ?? '', { status: 'queued', attempts: 1, dueAt: new Date(Date.now() + 60_000) });
  expect(await certificateOf(id)).toMatchObject({ deferred: 1, final: false, finalAt: null });
});

test('a draft certifies nobody; a campaign whose audience is not kept, or is not there, nothing', async () => {
  const { campaignId } = await draft();
  expect(await certificateOf(campaignId)).toMatchObject({ audience: 0, sent: 0, skipped: {}, pending: 0, byVersion: [], final: false });
  expect((await csvOf(campaignId)).split('\r\n')).toHaveLength(2);
  const id = await running(2);
  await wholePage(id);
  await finish(id);
  await stored.recipients.remove((await rows(id))[0]?._id ?? '');
  expect((await api().get(`/v1/campaigns/${id}/certificate`).expect(409)).body.code).toBe('invalid_state');
  expect((await api().get('/v1/campaigns/cmp_00000000000000000000000000/certificate').expect(404)).body.code).toBe('not_found');
  await api().get(`/v1/campaigns/${campaignId}/certificate`).query({ format: 'xml' }).expect(422);
});

describe('the command that verifies a certificate', () => {
  const platform = platformOf(loadConfig({}), () => undefined);

  async function verify(csv: Buffer | string, ...more: readonly string[]) {
    const file = path.join(folder, 'certificate.csv');
    writeFileSync(file, csv);
    return parseRequest(['certificate', 'verify', file, ...more]).run(platform);
  }

  test('accepts what the API gave, and names the line of a flipped byte', async () => {
    const id = await running(20);
    await wholePage(id);
    const { chain } = await certificateOf(id);
    const csv = await csvOf(id);
    expect(await verify(csv)).toEqual({ result: { intact: true, brokenAtLine: null, rows: 20, head: chain.head }, fault: null });
    expect(await verify(csv, '--head', chain.head)).toMatchObject({ result: { intact: true }, fault: null });
    const bytes = Buffer.from(csv);
    const place = csv.split('\r\n').slice(0, 7).join('\r\n').length + 10;
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
    expect(await verify(bytes)).toMatchObject({ result: { intact: false, brokenAtLine: 8 }, fault: expect.stringContaining('line 8') });
  });

  test('needs no database, and exits with 1 when the file was changed', async () => {
    const id = await running(1);
    const file = path.join(folder, 'certificate.csv');
    const exits = (csv: string): Promise<number> => {
      writeFileSync(file, csv);
      const args = [processCode('src/processes/admin/main.ts'), 'certificate', 'verify', file];
      const env = { PATH: process.env['PATH'], MONGODB_URI: 'mongodb://127.0.0.1:1/none' };
      return new Promise((resolve) => {
        execFile(process.execPath, args, { env }, (error) => resolve(error ? Number(error.code) : 0));
      });
    };
    const csv = await csvOf(id);
    expect([await exits(csv), await exits(csv.replace('pending', 'skipped'))]).toEqual([0, 1]);
  });

  test('finds that lines are missing at the end by the head', async () => {
    const id = await running(3);
    const { chain } = await certificateOf(id);
    const shorter = (await csvOf(id)).split(/(?<=\n)/).slice(0, -1);
    expect(await verify(shorter.join(''))).toMatchObject({ result: { intact: true, rows: 2 } });
    expect((await verify(shorter.join(''), '--head', chain.head)).fault).toContain('missing');
    expect((await verify('', '--head', chain.head)).fault).toContain('line 1');
    expect(() => parseRequest(['certificate', 'verify', 'file', '--head', 'x'])).toThrow('--head');
  });
});

test('an automation certifies its messages by node, of the contacts that were enrolled in a span', async () => {
  const id = await activate(app, chain(send('first'), send('second', { type: 'marketing' })));
  const people = await Promise.all([contact(app), contact(app, { subscribed: false })]);
  for (const one of people) await drive(app.core, app.keys.projectId, await enrol(app, id, one));
  const emails = await stored.emails.all({ workflowId: id });
  const [one] = emails.filter(({ nodeId }) => nodeId === 'second');
  await stored.emails.change(one?._id ?? '', { status: 'bounced', attempts: 1, bouncedAt: new Date(), bounceType: 'hard' });
  const ask = async (query: object = {}) => (await api().get(`/v1/workflows/${id}/certificate`).query(query).expect(200)).body.data;
  const whole = await ask();
  expect(whole).toMatchObject({
    workflowId: id,
    from: null,
    to: null,
    audience: 4,
    sent: 1,
    pending: 2,
    skipped: { unsubscribed: 1 },
    bounced: { hard: 1, soft: 0, block: 0 },
    final: false,
    byNode: [{ nodeId: 'second', sent: 1, bounced: { hard: 1 } }],
  });
  const now = new Date().toISOString();
  expect(await ask({ to: now })).toMatchObject({ audience: 4, to: now });
  expect(await ask({ from: now })).toMatchObject({ audience: 0, from: now });
  const { text } = await api().get(`/v1/workflows/${id}/certificate`).query({ format: 'csv' }).expect(200);
  expect(text.split('\r\n')[0]).toContain('nodeId');
  expect(text.split('\r\n').at(-2)?.split(',').at(-1)).toBe(whole.chain.head);
});
