import type { Email } from '../../../../src/records/emails/model';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { scheduled, storeEmails } from '../../../support/data/email-rows';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject();

const api = (key?: string) => app.api(key);
const store = (...changes: Partial<Email>[]): Promise<Email[]> => storeEmails(app.keys.projectId, ...changes);
const one = async (change: Partial<Email> = {}): Promise<Email> => (await store(change))[0] as Email;

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
    await stored.contents.make([
      { _id: 'shared', projectId, subject: 's', html: '<p>{{name}} {{year}}</p>', text: null, previewText: null, neededAt: new Date() },
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

  const SECRET = /[0-9a-z]{26}\.[0-9a-z]{26}/i;

  test('shows the author’s links, tracks nothing, and masks the links that are the recipient’s', async () => {
    const html = '<p><a href="https://example.com/">x</a> {{{unsubscribeUrl}}} {{{viewInBrowserUrl}}}</p>';
    const email = await one({ type: 'marketing', inline: { subject: '', html, text: null, previewText: null }, values: '{}' });
    const { body } = await api().get(`/v1/emails/${email._id}`).expect(200);
    const { PUBLIC_URL } = app.core.config;
    expect(body.data.body).toBe(`<p><a href="https://example.com/">x</a> ${PUBLIC_URL}/u/… ${PUBLIC_URL}/v/…</p>`);
    expect(body.data.text).toContain('/u/…');
    expect(JSON.stringify(body)).not.toMatch(SECRET);
  });

  test.each(['live', 'test'])('no key of a project reads a token of a %s message, however it is written', async (mode) => {
    const words = '{{unsubscribeUrl}} {{uppercase unsubscribeUrl}} {{capitalize unsubscribeUrl}} {{viewInBrowserUrl}}';
    const inline = { subject: words, html: `<p>${words}</p>`, text: words, previewText: null };
    const email = await one({ type: 'marketing', inline, values: '{}', testMode: mode === 'test' });
    for (const key of [app.keys.secret, app.keys.test]) {
      for (const path of [`/v1/emails/${email._id}`, '/v1/emails']) {
        const { body } = await api(key).get(path).expect(200);
        expect(JSON.stringify(body)).not.toMatch(SECRET);
      }
    }
  });

  test('shows the unsubscribe footer of marketing mail', async () => {
    const email = await one({ type: 'marketing' });
    const { body } = await api().get(`/v1/emails/${email._id}`).expect(200);
    expect(body.data.body).toContain(`${app.core.config.PUBLIC_URL}/u/…`);
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

  test('finds a part of the subject in any case, which is no pattern, among all mail, scheduled mail, and that of somebody', async () => {
    const [to, other] = ['subject@list.test', 'other@list.test'];
    const [sale, plain] = (await store({ to, subject: 'Spring SALE: 50% (today)' }, { to: other, subject: 'Your invoice' })) as [
      Email,
      Email,
    ];
    const waiting = await one({ to, subject: 'The sale ends', ...scheduled() });
    expect(await idsOf({ subject: 'sale: 50% (T' })).toEqual([sale._id]);
    expect(await idsOf({ subject: 'sale', to: other })).toEqual([]);
    expect(await idsOf({ subject: 'sale', to })).toEqual([waiting._id, sale._id]);
    expect(await idsOf({ subject: 'sale', status: 'scheduled' })).toEqual([waiting._id]);
    expect(await idsOf({ subject: 'invoice', status: 'scheduled' })).toEqual([]);
    expect(await idsOf({ subject: 'your INVOICE', source: 'transactional' })).toEqual([plain._id]);
    for (const pattern of ['sale.*50', '^Spring', '[S]ale', '$where']) expect(await idsOf({ subject: pattern })).toEqual([]);
    await api().get('/v1/emails').query('subject[$regex]=.').expect(422);
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
    [{ subject: 'x'.repeat(201) }, 'subject', 'too_big'],
    [{ cursor: 'x' }, 'cursor', 'invalid_cursor'],
  ])('refuses %j', async (query, path, code) => {
    const { body } = await api().get('/v1/emails').query(query).expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
  });

  test('reads along an index for every filter, and sorts no more than few', async () => {
    await store({ source: 'campaign', campaignId: 'cmp_1' }, { source: 'workflow', workflowId: 'wfl_1' });
    // What a campaign's ids begin with is looked up once.
    await list({ to: 'a@example.com' });
    const queries = [
      [{}, 'createdAt: -1'],
      [{ status: 'sent' }, 'createdAt: -1'],
      [{ status: 'failed' }, 'status: 1'],
      [{ source: 'campaign' }, 'campaignId: 1'],
      [{ source: 'workflow' }, 'workflowId: 1'],
      [{ source: 'inbound' }, 'source: 1'],
      [{ status: 'received' }, 'source: 1'],
      [{ to: 'a@example.com' }, 'to: 1'],
      [{ contactId: 'ctc_1' }, 'contactId: 1'],
      [{ campaignId: 'cmp_1' }, 'campaignId: 1'],
      [{ workflowId: 'wfl_1' }, 'workflowId: 1'],
      [{ from: '2026-05-05T12:00:00Z', until: '2026-05-06T12:00:00Z' }, 'createdAt: -1'],
      [{ status: 'scheduled' }, 'scheduledFor: 1'],
      [{ subject: 'x' }, 'createdAt: -1'],
      [{ subject: 'x', to: 'a@example.com' }, 'to: 1'],
      [{ subject: 'x', status: 'scheduled' }, 'scheduledFor: 1'],
    ] as const;
    for (const [query, key] of queries) {
      const plans = await queryPlans('emails', () => list({ ...query, limit: 1 }));
      // Campaign mail to somebody is looked up by its ids, which begin as its campaigns say.
      const lists = plans.filter(({ plan }) => !/^(DISTINCT_SCAN|IXSCAN \{ _id: 1 \})/.test(plan));
      expect(lists.length).toBeGreaterThan(0);
      for (const read of lists)
        expect([query, read]).toEqual([query, { plan: expect.stringContaining(`IXSCAN { projectId: 1, ${key}`), sorted: false }]);
    }
  });
});
