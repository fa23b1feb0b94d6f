import { UsageModel } from '../../src/billing/model';
import { addUsage, readUsage } from '../../src/billing/usage';
import { ContentModel } from '../../src/emails/content-model';
import { claim } from '../../src/emails/ledger';
import { EmailModel } from '../../src/emails/model';
import type { Email } from '../../src/emails/model';
import { bounceAddress, clickUrl, openPixelUrl, publicUrls, readClickToken, readToken, unsubscribeAddress } from '../../src/emails/urls';
import { EventModel } from '../../src/events/model';
import { newId } from '../../src/ids';
import { inTransaction } from '../../src/mongo/transaction';
import { createProject } from '../../src/projects/service';
import { startTestApp } from '../support/app';
import { queryPlans } from '../support/query-plans';

type App = Awaited<ReturnType<typeof startTestApp>>;

const DAY_MS = 86_400_000;

let app: App;
let other: string;

beforeAll(async () => {
  app = await startTestApp();
  other = (await createProject('Other')).secret;
});
afterAll(() => app.close());

const api = (key?: string) => app.api(key);

function row(change: Partial<Email> = {}): Email {
  const _id = newId('em');
  return {
    _id,
    projectId: app.keys.projectId,
    shard: 3,
    priority: 0,
    status: 'queued',
    source: 'transactional',
    type: 'transactional',
    testMode: false,
    to: 'ada@example.com',
    toName: null,
    fromEmail: 'team@hello.test',
    fromName: null,
    replyTo: null,
    headers: null,
    subject: 'Hello Ada',
    contactId: null,
    templateId: null,
    campaignId: null,
    workflowId: null,
    contentId: null,
    inline: { subject: 'Hello {{firstName}}', html: '<p>Hi {{firstName}}</p>', text: 'Hi {{firstName}}', previewText: null },
    values: '{"firstName":"Ada"}',
    attachments: [],
    charge: null,
    messageId: `<${_id}@hello.test>`,
    createdAt: new Date(),
    scheduledFor: null,
    attempts: 0,
    sentAt: null,
    deliveredAt: null,
    openedAt: null,
    clickedAt: null,
    opens: 0,
    clicks: 0,
    bounceType: null,
    error: null,
    providerMessageId: null,
    ...change,
  };
}

async function store(...changes: Partial<Email>[]): Promise<Email[]> {
  const rows = changes.map(row);
  await EmailModel.collection.insertMany(rows as never);
  return rows;
}

const one = async (change: Partial<Email> = {}): Promise<Email> => (await store(change))[0] as Email;

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const scheduled = (days = 1): Partial<Email> => ({ scheduledFor: inDays(days), dueAt: inDays(days) });

async function list(query: object, key?: string): Promise<{ data: { emailId: string }[]; nextCursor: string | null }> {
  const { body } = await api(key).get('/v1/emails').query(query).expect(200);
  return body;
}

const idsOf = async (query: object): Promise<string[]> => (await list(query)).data.map(({ emailId }) => emailId);

describe('get', () => {
  test('shows every member, and the content as it was rendered', async () => {
    const createdAt = new Date('2026-03-01T10:00:00.000Z');
    const email = await one({
      status: 'clicked',
      replyTo: 'reply@hello.test',
      headers: [
        ['X-One', '1'],
        ['X-Two', '2'],
      ],
      attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', size: 12, blobId: 'blob' }],
      contactId: 'ctc_1',
      createdAt,
      sentAt: new Date('2026-03-01T10:00:01.000Z'),
      deliveredAt: new Date('2026-03-01T10:00:02.500Z'),
      openedAt: new Date('2026-03-01T11:00:00.000Z'),
      clickedAt: new Date('2026-03-01T12:00:00.000Z'),
      opens: 2,
      clicks: 1,
      attempts: 1,
      providerMessageId: 'queue-1',
    });
    const { body } = await api().get(`/v1/emails/${email._id}`).expect(200);
    expect(body).toEqual({
      success: true,
      data: {
        emailId: email._id,
        projectId: app.keys.projectId,
        contactId: 'ctc_1',
        to: 'ada@example.com',
        subject: 'Hello Ada',
        fromEmail: 'team@hello.test',
        fromName: null,
        replyTo: 'reply@hello.test',
        source: 'transactional',
        type: 'transactional',
        status: 'clicked',
        templateId: null,
        campaignId: null,
        workflowId: null,
        testMode: false,
        headers: { 'X-One': '1', 'X-Two': '2' },
        attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', size: 12 }],
        opens: 2,
        clicks: 1,
        attempts: 1,
        bounceType: null,
        error: null,
        messageId: email.messageId,
        providerMessageId: 'queue-1',
        latencyMs: 2500,
        createdAt: '2026-03-01T10:00:00.000Z',
        scheduledFor: null,
        sentAt: '2026-03-01T10:00:01.000Z',
        deliveredAt: '2026-03-01T10:00:02.500Z',
        openedAt: '2026-03-01T11:00:00.000Z',
        clickedAt: '2026-03-01T12:00:00.000Z',
        body: '<p>Hi Ada</p>',
        text: 'Hi Ada',
      },
    });
  });

  test('renders shared content, and measures latency from the time that was asked for', async () => {
    const projectId = app.keys.projectId;
    await ContentModel.create([
      { _id: 'shared', projectId, subject: 's', html: '<p>{{name}} {{year}}</p>', text: null, previewText: null },
    ]);
    const email = await one({
      inline: null,
      contentId: 'shared',
      values: '{"name":"Bo"}',
      createdAt: new Date('2026-01-01T00:00:00.000Z'),
      scheduledFor: new Date('2026-12-01T00:00:00.000Z'),
      deliveredAt: new Date('2026-12-01T00:00:03.000Z'),
      status: 'delivered',
    });
    const { body } = await api().get(`/v1/emails/${email._id}`).expect(200);
    expect(body.data).toMatchObject({ body: '<p>Bo 2026</p>', latencyMs: 3000, scheduledFor: '2026-12-01T00:00:00.000Z' });
  });

  test('shows the links that were sent, and tracks nothing', async () => {
    const html = '<p><a href="https://example.com/">x</a> {{{unsubscribeUrl}}} {{{viewInBrowserUrl}}}</p>';
    const email = await one({ type: 'marketing', inline: { subject: '', html, text: null, previewText: null }, values: '{}' });
    const { body } = await api().get(`/v1/emails/${email._id}`).expect(200);
    const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(app.core, email._id);
    expect(body.data.body).toBe(`<p><a href="https://example.com/">x</a> ${unsubscribeUrl} ${viewInBrowserUrl}</p>`);
  });

  test('shows the unsubscribe footer of marketing mail', async () => {
    const email = await one({ type: 'marketing' });
    const { body } = await api().get(`/v1/emails/${email._id}`).expect(200);
    expect(body.data.body).toContain(publicUrls(app.core, email._id).unsubscribeUrl);
  });

  test('shows inbound mail as it came', async () => {
    const email = await one({
      source: 'inbound',
      status: 'received',
      inline: { subject: '', html: '<p>{{a}} {{#x}</p>', text: null, previewText: null },
    });
    const { body } = await api().get(`/v1/emails/${email._id}`).expect(200);
    expect(body.data).toMatchObject({ status: 'received', body: '<p>{{a}} {{#x}</p>', text: '' });
  });

  test('knows no other ids', async () => {
    await api()
      .get(`/v1/emails/${newId('em')}`)
      .expect(404);
    await api().get('/v1/emails/not%20an%20id').expect(422);
    await api(app.keys.public).get('/v1/emails').expect(401);
  });
});

describe('list', () => {
  test('shows rows without content', async () => {
    const { _id } = await one({ to: 'summary@list.test' });
    const { data, nextCursor } = await list({ to: 'Summary@LIST.test' });
    expect(data).toEqual([expect.objectContaining({ emailId: _id, subject: 'Hello Ada' })]);
    expect(Object.keys(data[0] ?? {})).not.toEqual(expect.arrayContaining(['body']));
    expect(Object.keys(data[0] ?? {})).not.toEqual(expect.arrayContaining(['text']));
    expect(nextCursor).toBeNull();
  });

  test('filters by each member, and by all together', async () => {
    const marks = {
      to: 'filter@list.test',
      campaignId: 'cmp_f',
      workflowId: 'wfl_f',
      contactId: 'ctc_f',
      source: 'campaign',
      status: 'failed',
    } as const;
    const createdAt = new Date('2026-05-05T12:00:00.000Z');
    const marked = await one({ ...marks, createdAt });
    await one({ to: 'unmarked@list.test', createdAt });
    for (const [name, value] of Object.entries(marks)) expect([name, await idsOf({ [name]: value })]).toEqual([name, [marked._id]]);
    expect(await idsOf(marks)).toEqual([marked._id]);
    expect(await idsOf({ ...marks, status: 'sent' })).toEqual([]);
    const during = (from: string, until: string): Promise<string[]> => idsOf({ to: marks.to, from, until });
    expect(await during('2026-05-05T12:00:00Z', '2026-05-05T12:00:00.001Z')).toEqual([marked._id]);
    expect(await during('2026-05-05T14:00:00+02:00', '2026-05-06T00:00:00Z')).toEqual([marked._id]);
    expect(await during('2026-05-05T12:00:00.001Z', '2026-05-06T00:00:00Z')).toEqual([]);
    expect(await during('2026-05-05T00:00:00Z', '2026-05-05T12:00:00Z')).toEqual([]);
  });

  test('walks newest first, each row once, while rows come', async () => {
    const at = Date.now();
    const rows = await store(
      ...Array.from({ length: 11 }, (_, index) => ({ to: 'walk@list.test', createdAt: new Date(at + Math.floor(index / 4)) })),
    );
    const wanted = [...rows]
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? 1 : -1))
      .map(({ _id }) => _id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ to: 'walk@list.test', limit: 3, ...(cursor && { cursor }) });
      seen.push(...page.data.map(({ emailId }) => emailId));
      cursor = page.nextCursor;
      await one({ to: 'walk@list.test', createdAt: new Date(at + 10) });
    } while (cursor);
    expect(seen).toEqual(wanted);
  });

  test('shows what is scheduled, soonest first, and nothing else', async () => {
    const to = 'scheduled@list.test';
    const waiting = await store(...[3, 1, 2, 5, 4].map((days) => ({ to, ...scheduled(days) })));
    await store(
      { to },
      { to, ...scheduled(), status: 'cancelled' },
      { to, scheduledFor: new Date(Date.now() - 1000), dueAt: new Date(), attempts: 1 },
      { to, scheduledFor: new Date(Date.now() - 1000), status: 'sent' },
    );
    const wanted = [1, 2, 0, 4, 3].map((index) => waiting[index]?._id);
    expect(await idsOf({ to, status: 'scheduled' })).toEqual(wanted);
    const first = await list({ to, status: 'scheduled', limit: 2 });
    const second = await list({ to, status: 'scheduled', limit: 2, cursor: first.nextCursor });
    const third = await list({ to, status: 'scheduled', limit: 2, cursor: second.nextCursor });
    expect([first, second, third].flatMap(({ data }) => data.map(({ emailId }) => emailId))).toEqual(wanted);
    expect(third.nextCursor).toBeNull();
    await api().get('/v1/emails').query({ to, limit: 2, cursor: first.nextCursor }).expect(422);
  });

  test.each([
    [{ status: 'other' }, 'status', 'invalid_enum_value'],
    [{ source: 'other' }, 'source', 'invalid_enum_value'],
    [{ to: 'nobody' }, 'to', 'invalid_string'],
    [{ from: '2026-05-05' }, 'from', 'invalid_string'],
    [{ until: '2026-05-05T00:00:00' }, 'until', 'invalid_string'],
    [{ limit: 101 }, 'limit', 'too_big'],
    [{ cursor: 'x' }, 'cursor', 'invalid_cursor'],
  ])('refuses %j', async (query, path, code) => {
    const { body } = await api().get('/v1/emails').query(query).expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
  });

  test('reads along an index for every filter, without sorting', async () => {
    const queries = [
      {},
      { status: 'sent' },
      { source: 'campaign' },
      { to: 'a@example.com' },
      { contactId: 'ctc_1' },
      { campaignId: 'cmp_1' },
      { workflowId: 'wfl_1' },
      { from: '2026-05-05T12:00:00Z', until: '2026-05-06T12:00:00Z' },
      { status: 'scheduled' },
    ];
    const keys: Record<string, string> = {
      to: 'to: 1',
      contactId: 'contactId: 1',
      campaignId: 'campaignId: 1',
      workflowId: 'workflowId: 1',
    };
    for (const query of queries) {
      const plans = await queryPlans('emails', () => list({ ...query, limit: 1 }));
      const [name = ''] = Object.keys(query);
      const key = 'status' in query && query.status === 'scheduled' ? 'scheduledFor: 1' : (keys[name] ?? 'createdAt: -1');
      expect({ query, plans }).toEqual({
        query,
        plans: [{ plan: expect.stringContaining(`IXSCAN { projectId: 1, ${key}`), sorted: false }],
      });
    }
  });
});

describe('cancel', () => {
  const cancel = (id: string, key?: string) => api(key).delete(`/v1/emails/${id}`);

  test('stops a scheduled message, gives back its charge, and tells of it', async () => {
    const month = '2026-02';
    const charge = { month, credits: 2 };
    await inTransaction((session) => addUsage(session, app.keys.projectId, month, 'transactional', { messages: 3, credits: 5 }));
    const { _id } = await one({ ...scheduled(), charge, contactId: 'ctc_1' });
    const { body } = await cancel(_id).expect(200);
    expect(body).toEqual({ success: true, data: { emailId: _id, status: 'cancelled' } });
    expect(await EmailModel.findById(_id).lean()).toMatchObject({ status: 'cancelled' });
    expect(await EmailModel.countDocuments({ _id, dueAt: { $exists: true } })).toBe(0);
    expect(await readUsage(app.keys.projectId, month)).toMatchObject({ used: 2, credits: 3, categories: { transactional: 2 } });
    expect(await EventModel.find({ emailId: _id }).lean()).toEqual([
      expect.objectContaining({
        name: 'email.cancelled',
        contactId: 'ctc_1',
        projectId: app.keys.projectId,
        data: { source: 'transactional' },
      }),
    ]);
    const again = await cancel(_id).expect(409);
    expect(again.body).toMatchObject({ success: false, code: 'invalid_state' });
  });

  test('gives nothing back for a test message', async () => {
    const before = await UsageModel.find().lean();
    const { _id } = await one({ ...scheduled(), testMode: true });
    await cancel(_id, app.keys.test).expect(200);
    expect(await UsageModel.find().lean()).toEqual(before);
    expect(await EventModel.findOne({ emailId: _id }).lean()).toMatchObject({ testMode: true, data: { testMode: true } });
  });

  test.each<[string, Partial<Email>]>([
    ['queued for now', {}],
    ['sending', { ...scheduled(), status: 'sending', attempts: 1 }],
    ['put off after an attempt', { ...scheduled(), attempts: 1 }],
    ['sent', { scheduledFor: new Date(), status: 'sent', attempts: 1 }],
    ['received', { status: 'received', source: 'inbound' }],
  ])('refuses a message that is %s', async (_case, change) => {
    const { _id } = await one(change);
    const { body } = await cancel(_id).expect(409);
    expect(body.code).toBe('invalid_state');
    expect((await EmailModel.findById(_id).lean<Email>())?.status).toBe(change.status ?? 'queued');
  });

  test('happens once when it is asked for many times at once', async () => {
    const month = '2026-01';
    await inTransaction((session) => addUsage(session, app.keys.projectId, month, 'transactional', { messages: 5, credits: 5 }));
    const { _id } = await one({ ...scheduled(), charge: { month, credits: 1 } });
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(_id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await readUsage(app.keys.projectId, month)).toMatchObject({ used: 4, credits: 4 });
    expect(await EventModel.countDocuments({ emailId: _id })).toBe(1);
  });

  test('and sending race to one outcome', async () => {
    const rows = await store(...Array.from({ length: 20 }, () => ({ ...scheduled(), dueAt: new Date() })));
    const attempt = { id: 'attempt', worker: 'worker', at: new Date() };
    const outcomes = await Promise.all(
      rows.map(async ({ _id }, index) => {
        const taking = claim([_id], { ...attempt, id: `attempt-${index}` });
        const [answer, taken] = await Promise.all([cancel(_id), taking]);
        return { status: answer.status, taken: taken.has(_id), stored: (await EmailModel.findById(_id).lean<Email>())?.status };
      }),
    );
    for (const outcome of outcomes) {
      const either = [
        { status: 200, taken: false, stored: 'cancelled' },
        { status: 409, taken: true, stored: 'sending' },
      ];
      expect(either).toContainEqual(outcome);
    }
  });

  test("does not reach another project's message", async () => {
    const { _id } = await one(scheduled());
    await cancel(_id, other).expect(404);
    await api(other).get(`/v1/emails/${_id}`).expect(404);
    expect((await list({}, other)).data).toEqual([]);
    await cancel(newId('em')).expect(404);
    await cancel('not%20an%20id').expect(422);
    expect((await EmailModel.findById(_id).lean<Email>())?.status).toBe('queued');
  });
});

describe('tokens', () => {
  const id = newId('em');
  const lastSegment = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

  test('stand for their message, each for its own purpose', () => {
    const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(app.core, id);
    const tokens = {
      unsubscribe: lastSegment(unsubscribeUrl),
      view: lastSegment(viewInBrowserUrl),
      open: lastSegment(openPixelUrl(app.core, id)).replace('.gif', ''),
      bounce: /^b\+(.+)@bounce\.lettermill\.test$/.exec(bounceAddress(app.core, id))?.[1] ?? '',
    };
    expect(unsubscribeUrl).toBe(`${app.core.config.PUBLIC_URL}/u/${tokens.unsubscribe}`);
    expect(viewInBrowserUrl).toBe(`${app.core.config.PUBLIC_URL}/v/${tokens.view}`);
    expect(openPixelUrl(app.core, id)).toBe(`${app.core.config.PUBLIC_URL}/t/o/${tokens.open}.gif`);
    expect(unsubscribeAddress(app.core, id)).toBe(`u+${tokens.unsubscribe}@bounce.lettermill.test`);
    for (const [made, token] of Object.entries(tokens)) {
      for (const asked of ['unsubscribe', 'view', 'open', 'bounce'] as const) {
        expect(readToken(app.core, asked, token)).toBe(asked === made ? id : null);
      }
    }
  });

  test('fit into the local part of an address (RFC 5321: 64)', () => {
    expect(bounceAddress(app.core, id).indexOf('@')).toBeLessThanOrEqual(64);
  });

  test.each(['https://example.com/?a=1&b=ü#x', 'http://x.test/', 'https://example.com/ '])('carry the address of a click: %s', (url) => {
    const link = clickUrl(app.core, id, url);
    expect(link.startsWith(`${app.core.config.PUBLIC_URL}/t/c/${id.slice(3)}.`)).toBe(true);
    expect(readClickToken(app.core, lastSegment(link))).toEqual({ emailId: id, url });
  });

  test('are worth nothing with any one character altered, added or missing', () => {
    const click = lastSegment(clickUrl(app.core, id, 'https://example.com/a'));
    const view = lastSegment(publicUrls(app.core, id).viewInBrowserUrl);
    const alterations = (token: string): string[] => [
      ...Array.from(token, (char, at) => token.slice(0, at) + (char === 'a' ? 'b' : 'a') + token.slice(at + 1)),
      ...Array.from(token, (_char, at) => token.slice(0, at) + token.slice(at + 1)),
      ...Array.from(token, (char, at) => token.slice(0, at) + char.toUpperCase() + token.slice(at + 1)).filter((other) => other !== token),
      `${token}a`,
      `${token}.`,
      `${token}\n`,
      '',
    ];
    for (const altered of alterations(click).filter((token) => token !== click))
      expect([altered, readClickToken(app.core, altered)]).toEqual([altered, null]);
    for (const altered of alterations(view).filter((token) => token !== view))
      expect([altered, readToken(app.core, 'view', altered)]).toEqual([altered, null]);
  });

  test('of a click have one spelling: unused bits of the address count too', () => {
    const click = lastSegment(clickUrl(app.core, id, 'https://example.com/ab'));
    const [short = '', target = '', signature = ''] = click.split('.');
    const spellings = Array.from(
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
      (char) => target.slice(0, -1) + char,
    ).filter((spelling) => Buffer.from(spelling, 'base64url').equals(Buffer.from(target, 'base64url')) && spelling !== target);
    expect(spellings.length).toBeGreaterThan(0);
    for (const spelling of spellings) expect(readClickToken(app.core, `${short}.${spelling}.${signature}`)).toBeNull();
  });
});
