import type { Intent } from '../../../../src/contracts/processes';
import { aProject } from '../../../support/platform/app';
import { recordHits } from '../../../../src/sending/tracking/record';
import { claimCalls } from '../../../support/calls/campaign-claims';
import { campaignCalls, faultsOf, hit } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { eventually } from '../../../support/platform/platform';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_CONNECTIONS: '4', LEDGER_CHUNK: '8' },
}));
const host = aDeliveryHost(app);

beforeEach(async () => {
  smtp.script = {};
  await Promise.all([stored.emails.remove(), stored.contacts.remove()]);
});

const { running, rows, act, get, draft, api } = campaignCalls(() => app);
const { claimed, takeOver } = claimCalls(() => app);

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

const { page, wholePage } = campaignPages(
  () => app,
  () => host,
);

const signalsOf = (id: string): readonly string[] =>
  (app.processes.signal.mock.calls as [Intent][]).flatMap(([intent]) =>
    intent.kind === 'signal' && intent.workflowId === `campaign/${id}` ? intent.signal : [],
  );

/** Who got mail with a text in its header: bodies are encoded. */
const mailWith = (text: string): readonly string[] => smtp.messages.filter(({ raw }) => raw.includes(text)).map(({ to }) => to);

interface Recipient {
  readonly email: string;
  readonly status: string;
  readonly contentVersion: number | null;
}

const recipientsOf = async (id: string): Promise<readonly Recipient[]> =>
  (await api().get(`/v1/campaigns/${id}/recipients`).query({ limit: 100 }).expect(200)).body.data.data as Recipient[];

describe('pause', () => {
  test('once it has answered, no message begins, and its numbers add up to the audience', async () => {
    const id = await running(60);
    smtp.script = { dot: { delayMs: 20 } };
    const before = smtp.messages.length;
    const sending = page(id);
    await eventually('some mail is out', () => smtp.messages.length > before + 5);
    const { body } = await act(id, 'pause').expect(200);
    const { sent, inFlight, remaining, totalRecipients } = body.data as Record<string, number>;
    expect([sent, inFlight, remaining].every((each) => Number(each) >= 0)).toBe(true);
    expect(Number(sent) + Number(inFlight) + Number(remaining)).toBe(totalRecipients);
    expect(body.data).toMatchObject({
      status: 'sending',
      heldReason: 'paused',
      paused: { until: null, retries: 'continue', alsoHeld: null },
    });
    expect(await sending).toMatchObject({ done: false, over: false });
    expect(smtp.messages.length - before).toBe(Number(sent) + Number(inFlight));
    expect(await page(id)).toMatchObject({ sent: 0, done: false, held: 'paused', pausedUntil: null });
    expect(smtp.messages.length - before).toBe(Number(sent) + Number(inFlight));

    expect((await act(id, 'resume').expect(200)).body.data).toMatchObject({ status: 'sending', heldReason: null });
    expect(signalsOf(id)).toEqual(['resumed']);
    smtp.script = {};
    await wholePage(id);
    expect(smtp.messages.map(({ to }) => to).sort()).toEqual((await rows(id)).map(({ email }) => email).sort());
  });

  test('gives back the credits of messages that did not begin', async () => {
    const id = await running(30);
    const used = async (): Promise<number> => (await api().get('/v1/billing').expect(200)).body.data.categories.campaign.used as number;
    const before = await used();
    smtp.script = { dot: { delayMs: 20 } };
    const arrived = smtp.messages.length;
    const sending = page(id);
    await eventually('some mail is out', () => smtp.messages.length > arrived + 3);
    await act(id, 'pause').expect(200);
    await sending;
    expect((await used()) - before).toBe(await stored.emails.count({ campaignId: id }));
  });

  test('a second pause changes its end', async () => {
    const id = await running(1);
    const until = inHours(3);
    await act(id, 'pause').expect(200);
    expect((await act(id, 'pause', { until }).expect(200)).body.data.paused).toMatchObject({ until });
    expect(await page(id)).toMatchObject({ held: 'paused', pausedUntil: until });
    expect(signalsOf(id)).toEqual(['resumed']);
  });

  test('shows what else holds the campaign', async () => {
    const id = await running(1);
    await stored.campaigns.change(id, { heldReason: 'disabled' });
    expect((await act(id, 'pause').expect(200)).body.data).toMatchObject({ heldReason: 'paused', paused: { alsoHeld: 'disabled' } });
    expect((await act(id, 'resume').expect(200)).body.data).toMatchObject({ heldReason: 'disabled' });
  });

  test('a paused campaign can be cancelled, and not deleted', async () => {
    const id = await running(1);
    await act(id, 'pause').expect(200);
    expect((await api().delete(`/v1/campaigns/${id}`).expect(409)).body.code).toBe('invalid_state');
    const { body } = await act(id, 'cancel').expect(200);
    expect(body.data).toMatchObject({ status: 'cancelled', heldReason: null });
    expect(body.data).not.toHaveProperty('paused');
  });

  test.each([[{ until: '2020-01-01T00:00:00Z' }], [{ until: 'soon' }]])('refuses %j', async (body) => {
    const id = await running(1);
    const answer = await act(id, 'pause', body).expect(422);
    expect(faultsOf(answer.body)[0]?.[0]).toBe('until');
  });
});

test.each(['pause', 'resume', 'unschedule', 'reschedule', 'revise'])(
  '%s is refused for a draft, and for the campaign of another project',
  async (action) => {
    const { campaignId } = await draft();
    const body = { reschedule: { scheduledFor: inHours(2) }, revise: { subject: 'Other' } }[action] ?? {};
    expect((await act(campaignId, action, body).expect(409)).body.code).toBe('invalid_state');
    expect((await act('cmp_00000000000000000000000000', action, body).expect(404)).body.code).toBe('not_found');
  },
);

describe('a scheduled campaign', () => {
  test('becomes a draft again, and can be sent again', async () => {
    const { campaignId: id } = await draft();
    const scheduledFor = inHours(2);
    await act(id, 'send', { scheduledFor, throttlePerMinute: 5 }).expect(200);
    expect((await act(id, 'unschedule').expect(200)).body.data).toMatchObject({
      status: 'draft',
      scheduledFor: null,
      throttlePerMinute: null,
    });
    expect(signalsOf(id)).toEqual(['unscheduled']);
    await api().patch(`/v1/campaigns/${id}`).send({ subject: 'Later' }).expect(200);
    expect((await act(id, 'send', { scheduledFor: inHours(4) }).expect(200)).body.data).toMatchObject({
      status: 'scheduled',
      subject: 'Later',
    });
  });

  test('moves to another time, and the decision of its A/B test with it', async () => {
    const { campaignId: id } = await draft({ abSubjectB: 'Other' });
    const [from, to] = [Date.now() + 2 * HOUR_MS, Date.now() + 5 * HOUR_MS].map((at) => new Date(at));
    const { body } = await act(id, 'send', { scheduledFor: from }).expect(200);
    const moved = (await act(id, 'reschedule', { scheduledFor: to }).expect(200)).body.data;
    expect(moved).toMatchObject({ status: 'scheduled', scheduledFor: to?.toISOString() });
    expect(Date.parse(String(moved.abDecideAt)) - Date.parse(String(body.data.abDecideAt))).toBe(3 * HOUR_MS);
    expect(await get(id)).toMatchObject({ scheduledFor: to?.toISOString() });
  });

  test('does not move into the past', async () => {
    const { campaignId: id } = await draft();
    await act(id, 'send', { scheduledFor: inHours(2) }).expect(200);
    expect(faultsOf((await act(id, 'reschedule', { scheduledFor: inHours(-1) }).expect(422)).body)).toEqual([
      ['scheduledFor', 'invalid_date'],
    ]);
    expect(faultsOf((await act(id, 'reschedule').expect(422)).body)).toEqual([['scheduledFor', 'invalid_type']]);
  });
});

describe('revise', () => {
  test('loses its design when its HTML alone is corrected', async () => {
    const id = await running(1);
    await act(id, 'pause').expect(200);
    const right = { body: '<p>Right</p>', bodyBlocks: { blocks: ['Right'] } };
    for (const _same of [1, 2]) expect((await act(id, 'revise', right).expect(200)).body.data).toMatchObject({ contentVersion: 2 });
    const { body } = await act(id, 'revise', { body: '<p>By hand</p>' }).expect(200);
    expect(body.data).toMatchObject({ body: '<p>By hand</p>', bodyBlocks: null });
    await act(id, 'cancel').expect(200);
  });

  test('corrects the text for everybody whose message has not begun, and each recipient has one version', async () => {
    const id = await running(40, { subject: 'Wrong price', fromName: 'Shopp' });
    smtp.script = { dot: { delayMs: 15 } };
    const before = smtp.messages.length;
    const sending = page(id);
    await eventually('some mail is out', () => smtp.messages.length > before + 5);
    await act(id, 'pause').expect(200);
    await sending;
    const corrected = { subject: 'Right price', body: '<p>Right</p>', bodyBlocks: { blocks: ['Right'] }, fromName: 'Corrected' };
    const { body } = await act(id, 'revise', corrected).expect(200);
    expect(body.data).toMatchObject({ ...corrected, contentVersion: 2 });
    await act(id, 'resume').expect(200);
    smtp.script = {};
    await wholePage(id);

    const [first, second] = [mailWith('Wrong price'), mailWith('Right price')];
    expect(first.length).toBeGreaterThan(5);
    expect(first.length + second.length).toBe(40);
    const recipients = await recipientsOf(id);
    const ofVersion = (version: number): readonly string[] =>
      recipients.flatMap(({ email, contentVersion }) => (contentVersion === version ? email : [])).sort();
    expect([ofVersion(1), ofVersion(2)]).toEqual([[...first].sort(), [...second].sort()]);
    expect([mailWith('Shopp').length, mailWith('Corrected').length]).toEqual([first.length, second.length]);
    const figures = [
      { version: 1, sent: first.length, opened: 0, clicked: 0, until: expect.any(String) },
      { version: 2, sent: second.length, opened: 0, clicked: 0, until: null },
    ];
    await eventually('all is counted', async () => {
      const { byVersion = [] } = (await get(id)) as { byVersion?: { sent: number }[] };
      return byVersion.reduce((sum, { sent }) => sum + sent, 0) === 40;
    });
    expect((await get(id))['byVersion']).toEqual(figures);

    const { data } = (await api().get('/v1/emails').query({ campaignId: id, limit: 100 }).expect(200)).body as {
      data: { to: string; contentVersion: number }[];
    };
    expect(data.flatMap(({ to, contentVersion }) => (contentVersion === 2 ? to : [])).sort()).toEqual([...second].sort());
  });

  test('a message that a lost worker had on the wire keeps the sender of its version', async () => {
    const id = await running(2, { fromName: 'Before' });
    const [first] = (await rows(id)).map(({ emailId }) => emailId);
    await claimed(id);
    await act(id, 'pause').expect(200);
    await act(id, 'revise', { fromName: 'After' }).expect(200);
    await takeOver();
    expect(await stored.emails.one(first ?? '')).toMatchObject({ status: 'queued', fromName: 'Before' });
    expect(await get(id)).toMatchObject({ fromName: 'After' });
  });

  test('clicks of every version count for the link as its content has it', async () => {
    const body = (path: string): string => `<a href="https://example.com/${path}/{{data.plan}}">Read</a>`;
    const id = await running(2, { body: body('first') });
    const [one, two] = (await rows(id)).map(({ emailId }) => emailId);
    const click = async (emailId: string | undefined, path: string): Promise<void> => {
      await stored.emails.change(emailId ?? '', { testMode: false });
      await recordHits([hit(emailId ?? '', `https://example.com/${path}/pro`)], false);
    };
    await wholePage(id);
    await act(id, 'pause').expect(200);
    await act(id, 'revise', { body: body('second') }).expect(200);
    await click(one, 'first');
    await stored.emails.change(two ?? '', { contentId: (await stored.campaigns.get(id)).contentIds?.a ?? '' });
    await click(two, 'second');
    const { body: links } = await api().get(`/v1/campaigns/${id}/links`).expect(200);
    expect((links.data.data as { url: string }[]).map(({ url }) => url).sort()).toEqual([
      'https://example.com/first/{{data.plan}}',
      'https://example.com/second/{{data.plan}}',
    ]);
    const ofVersion = (version: number, status = 200) => api().get(`/v1/campaigns/${id}/links`).query({ version }).expect(status);
    const once = (path: string) => [{ url: `https://example.com/${path}/{{data.plan}}`, clicks: 1, uniqueClicks: 1 }];
    expect((await ofVersion(1)).body.data.data).toEqual(once('first'));
    expect((await ofVersion(2)).body.data.data).toEqual(once('second'));
    expect(faultsOf((await ofVersion(3, 422)).body)).toEqual([['version', 'not_found']]);
    expect((await get(id))['byVersion']).toMatchObject([{ clicked: 1 }, { clicked: 1 }]);
  });

  test('a new subject ends an A/B test, and its comparison with it', async () => {
    const id = await running(4, { abSubjectB: 'Other' });
    await act(id, 'pause').expect(200);
    await act(id, 'revise', { subject: 'Corrected' }).expect(200);
    await act(id, 'revise', { subject: 'Corrected' }).expect(200); // changes nothing: no further version
    expect(await get(id)).toMatchObject({
      subject: 'Corrected',
      abSubjectB: 'Corrected',
      comparison: null,
      bySubject: null,
      contentVersion: 2,
    });
  });

  test('with the same words makes a version where the brand has changed, which is part of each message', async () => {
    const id = await running(1, { subject: 'Same' });
    await act(id, 'pause').expect(200);
    try {
      await api()
        .patch('/v1/settings')
        .send({ brand: { address: '1 New Street' } })
        .expect(200);
      expect((await act(id, 'revise', { subject: 'Same' }).expect(200)).body.data).toMatchObject({ contentVersion: 2 });
    } finally {
      await api().patch('/v1/settings').send({ brand: {} }).expect(200);
    }
  });

  test('is refused while the campaign is sending, and for what is no template', async () => {
    const id = await running(1);
    expect((await act(id, 'revise', { subject: 'Other' }).expect(409)).body.error).toContain('pause it first');
    await act(id, 'pause').expect(200);
    expect(faultsOf((await act(id, 'revise', { body: '{{#if' }).expect(422)).body)).toEqual([['body', 'invalid_template']]);
    await act(id, 'revise', {}).expect(422);
    await act(id, 'revise', { fromEmail: 'other@hello.test' }).expect(422);
    expect(await get(id)).not.toHaveProperty('contentVersion');
  });
});

describe('retry-failed', () => {
  test('tries failed messages again, once each, and no bounced ones', async () => {
    const id = await running(6);
    await wholePage(id);
    const [bounced, ...failed] = (await rows(id)).slice(0, 4);
    const ids = failed.map(({ emailId }) => emailId);
    const { contentIds } = await stored.campaigns.get(id);
    await stored.emails.collection.updateMany(
      { _id: { $in: ids } },
      { $set: { status: 'failed', error: '451 later' }, $unset: { sentAt: 1, deliveredAt: 1 } },
    );
    await stored.emails.change(bounced?.emailId ?? '', { status: 'bounced' });
    expect((await act(id, 'retry-failed').expect(200)).body.data).toMatchObject({ campaignId: id, status: 'sending' });
    expect(await stored.emails.count({ campaignId: id, status: 'queued', attempts: 1 })).toBe(3);
    expect(await stored.emails.count({ campaignId: id, status: 'queued', contentId: contentIds?.a ?? '' })).toBe(3);
    expect(await stored.emails.count({ campaignId: id, status: 'bounced' })).toBe(1);
    expect(await get(id)).toMatchObject({ failed: 0, deferred: 3, sent: 6 });
    await act(id, 'retry-failed').expect(200);
    expect(await stored.emails.count({ campaignId: id, status: 'queued' })).toBe(3);
  });

  test('is refused for a draft', async () => {
    const { campaignId } = await draft();
    expect((await act(campaignId, 'retry-failed').expect(409)).body.code).toBe('invalid_state');
  });
});
