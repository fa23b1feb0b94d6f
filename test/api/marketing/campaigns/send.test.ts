import { CampaignModel } from '../../../../src/marketing/campaigns/model';
import type { Campaign } from '../../../../src/marketing/campaigns/model';
import type { StartIntent } from '../../../../src/contracts/processes';
import { disableProject, enableProject } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { campaignCalls, faultsOf, storeSegment } from '../../../support/calls/campaigns';
import { all, notMemberOf } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { api, draft, get, act } = campaignCalls(() => app);
const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const patch = (id: string, body: object) => api().patch(`/v1/campaigns/${id}`).send(body);
const calledFor = (mock: jest.Mock, workflowId: string): unknown[][] =>
  (mock.mock.calls as unknown[][]).filter(([intent]) => (intent as StartIntent).workflowId === workflowId);
const started = (id: string): unknown[][] => calledFor(app.processes.start, `campaign/${id}`);

async function withStatus(status: Campaign['status']): Promise<string> {
  const { campaignId } = await draft();
  await stored.campaigns.change(campaignId, { status });
  return campaignId;
}

describe('send', () => {
  test('starts a draft at once, with its content stored and its workflow wanted', async () => {
    const { campaignId } = await draft({ abSubjectB: 'Other', previewText: 'Pre' });
    const { body } = await act(campaignId, 'send', { throttlePerMinute: 60 }).expect(200);
    expect(body.data).toMatchObject({
      status: 'sending',
      scheduledFor: null,
      sentAt: null,
      testMode: false,
      throttlePerMinute: 60,
      totalRecipients: 0,
    });
    expect(Date.parse(String(body.data.abDecideAt)) - Date.now()).toBeGreaterThan(4 * HOUR_MS - 60_000);
    expect(Date.parse(String(body.data.abDecideAt)) - Date.now()).toBeLessThanOrEqual(4 * HOUR_MS);
    const { contentIds, startedAt, phase } = await stored.campaigns.get(campaignId);
    expect([startedAt, phase]).toEqual([expect.any(Date), 'starting']);
    expect(await stored.contents.one(contentIds?.b)).toMatchObject({
      subject: 'Other',
      html: '<p>Hello {{firstName}}</p>',
      previewText: 'Pre',
    });
    expect(started(campaignId)).toEqual([
      [
        expect.objectContaining({
          kind: 'start',
          workflow: 'campaignSend',
          input: { campaignId, projectId: app.keys.projectId, scheduledFor: null },
          attributes: { projectId: app.keys.projectId, campaignId },
        }),
      ],
    ]);
    expect((await get(campaignId))['estimatedAudience']).toBeNull();
    expect((await act(campaignId, 'send').expect(409)).body.code).toBe('invalid_state');
  });

  test('schedules with `scheduledFor`; the audience is still counted', async () => {
    const { campaignId } = await draft();
    const scheduledFor = inHours(72);
    const { body } = await act(campaignId, 'send', { scheduledFor, abDecideAt: inHours(-1) }).expect(200);
    expect(body.data).toMatchObject({ status: 'scheduled', scheduledFor, abDecideAt: null });
    expect((await stored.campaigns.get(campaignId)).startedAt).toBeNull();
    expect((started(campaignId)[0]?.[0] as StartIntent).input).toEqual({ campaignId, projectId: app.keys.projectId, scheduledFor });
    expect((await get(campaignId))['estimatedAudience']).toEqual(expect.any(Number));
  });

  test('the decision lies after the start: by default 4 hours', async () => {
    const { campaignId } = await draft({ abSubjectB: 'B' });
    for (const [scheduledFor, abDecideAt] of [
      [inHours(72), inHours(71)],
      [inHours(72), inHours(72 + 366 * 24)],
      [undefined, inHours(-1)],
    ]) {
      expect(faultsOf((await act(campaignId, 'send', { scheduledFor, abDecideAt }).expect(422)).body)).toEqual([
        ['abDecideAt', 'invalid_date'],
      ]);
    }
    const scheduledFor = inHours(72);
    const { body } = await act(campaignId, 'send', { scheduledFor }).expect(200);
    expect(Date.parse(String(body.data.abDecideAt)) - Date.parse(scheduledFor)).toBe(4 * HOUR_MS);
  });

  test.each([
    [{ scheduledFor: inHours(-1) }, 'scheduledFor', 'invalid_date'],
    [{ throttlePerMinute: 0 }, 'throttlePerMinute', 'too_small'],
    [{ scheduledFor: 'tomorrow' }, 'scheduledFor', 'invalid_string'],
    [{ now: true }, 'now', 'unrecognized_keys'],
  ])('%j is refused', async (body, path, code) => {
    const { campaignId } = await draft();
    expect(faultsOf((await act(campaignId, 'send', body).expect(422)).body)).toEqual([[path, code]]);
    expect((await get(campaignId)).status).toBe('draft');
  });

  test('needs From’s domain verified exactly; a test key does not, and runs in test mode', async () => {
    for (const fromEmail of ['team@elsewhere.test', 'team@sub.hello.test']) {
      const { campaignId } = await draft({ fromEmail });
      expect(faultsOf((await act(campaignId, 'send').expect(422)).body)).toEqual([['fromEmail', 'unverified_domain']]);
      expect((await act(campaignId, 'send', {}, app.keys.test).expect(200)).body.data).toMatchObject({ status: 'sending', testMode: true });
    }
  });

  test('needs the segment that it goes to', async () => {
    const segmentId = await storeSegment(app.keys.projectId);
    const { campaignId } = await draft({ audience: 'segment', segmentId });
    await stored.segments.remove(segmentId);
    expect(faultsOf((await act(campaignId, 'send').expect(422)).body)).toEqual([['segmentId', 'not_found']]);
    expect((await get(campaignId)).status).toBe('draft');
    expect(started(campaignId)).toEqual([]);
  });

  test('needs the segments that its filter asks about, also when they went while it was to reach all', async () => {
    const segmentId = await storeSegment(app.keys.projectId);
    const { campaignId } = await draft({ filter: all(notMemberOf(segmentId)) });
    await api().delete(`/v1/segments/${segmentId}`).expect(200);
    await patch(campaignId, { audience: 'filter' }).expect(200);
    const { body } = await act(campaignId, 'send').expect(422);
    expect(faultsOf(body)).toEqual([['filter.groups.0.filters.0.field', 'not_found']]);
    expect((await get(campaignId)).status).toBe('draft');
    expect(started(campaignId)).toEqual([]);
  });

  test('takes a draft that is changed meanwhile as it is then', async () => {
    const { campaignId } = await draft();
    const update = CampaignModel.updateOne.bind(CampaignModel);
    const changed = async (...given: Parameters<typeof update>) => {
      await patch(campaignId, { subject: 'Newer' }).expect(200);
      return update(...given);
    };
    jest.spyOn(CampaignModel, 'updateOne').mockImplementationOnce(changed as never);
    expect((await act(campaignId, 'send').expect(200)).body.data).toMatchObject({ status: 'sending', subject: 'Newer' });
    const { contentIds } = await stored.campaigns.get(campaignId);
    expect(await stored.contents.one(contentIds?.a)).toMatchObject({ subject: 'Newer' });
    expect(started(campaignId)).toHaveLength(1);
  });

  test('is 409 for a disabled project', async () => {
    const { campaignId } = await draft();
    await disableProject(app.keys.projectId);
    try {
      expect((await act(campaignId, 'send').expect(409)).body.code).toBe('invalid_state');
    } finally {
      await enableProject(app.keys.projectId);
    }
    await act(campaignId, 'send').expect(200);
  });

  test('races to one start', async () => {
    const { campaignId } = await draft();
    const answers = await Promise.all(Array.from({ length: 6 }, () => act(campaignId, 'send')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(started(campaignId)).toHaveLength(1);
  });

  test('is repeated by the sweep when Temporal is away', async () => {
    const { campaignId } = await draft();
    app.processes.start.mockRejectedValueOnce(new Error('Temporal is away'));
    await act(campaignId, 'send').expect(200);
    expect(await stored.outbox.distinct('_id')).toContainEqual(expect.stringContaining(`campaign/${campaignId}`));
  });
});

describe('the states', () => {
  const TABLE = {
    draft: { send: 200, cancel: 409, 'resend-non-openers': 409, patch: 200, delete: 200 },
    scheduled: { send: 409, cancel: 200, 'resend-non-openers': 409, patch: 409, delete: 409 },
    sending: { send: 409, cancel: 200, 'resend-non-openers': 409, patch: 409, delete: 409 },
    sent: { send: 409, cancel: 409, 'resend-non-openers': 201, patch: 409, delete: 200 },
    cancelled: { send: 409, cancel: 409, 'resend-non-openers': 409, patch: 409, delete: 200 },
  } as const;
  const rows = (Object.keys(TABLE) as Campaign['status'][]).flatMap((status) =>
    Object.entries(TABLE[status]).map(([what, answer]) => [status, what, answer] as const),
  );

  test.each(rows)('%s: %s is %i', async (status, what, expected) => {
    const id = await withStatus(status);
    const answer =
      what === 'patch'
        ? await patch(id, { name: 'Other' })
        : what === 'delete'
          ? await api().delete(`/v1/campaigns/${id}`)
          : await act(id, what);
    expect(answer.status).toBe(expected);
    if (expected !== 409) return;
    expect(answer.body.code).toBe('invalid_state');
    expect(await get(id)).toMatchObject({ status, name: 'News' });
  });

  test('cancel signals the workflow, and racing with the end comes to one outcome', async () => {
    const { campaignId } = await draft();
    await act(campaignId, 'send').expect(200);
    const answers = await Promise.all([act(campaignId, 'cancel'), act(campaignId, 'cancel'), act(campaignId, 'cancel')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 200)?.body.data).toMatchObject({ campaignId, status: 'cancelled', heldReason: null });
    expect(calledFor(app.processes.signal, `campaign/${campaignId}`)).toEqual([
      [{ kind: 'signal', workflowId: `campaign/${campaignId}`, signal: 'cancel', id: 'cancel' }],
    ]);
  });

  test('cancel is answered as done once it is, also when the messages that wait cannot be stopped at once', async () => {
    const { campaignId } = await draft();
    await act(campaignId, 'send').expect(200);
    jest.spyOn(stored.emails.collection, 'find').mockImplementationOnce(() => {
      throw new Error('away');
    });
    expect((await act(campaignId, 'cancel').expect(200)).body.data).toMatchObject({ campaignId, status: 'cancelled' });
    expect(calledFor(app.processes.signal, `campaign/${campaignId}`)).toHaveLength(1);
  });

  test('delete removes a campaign, and its remains by a workflow; a draft has none', async () => {
    for (const [status, workflows] of [
      ['draft', 0],
      ['sent', 1],
      ['cancelled', 1],
    ] as const) {
      const id = await withStatus(status);
      expect((await api().delete(`/v1/campaigns/${id}`).expect(200)).body).toEqual({ success: true, data: { success: true } });
      await api().get(`/v1/campaigns/${id}`).expect(404);
      await api().delete(`/v1/campaigns/${id}`).expect(404);
      const wanted = calledFor(app.processes.start, `campaign-removal/${id}`);
      expect(wanted).toHaveLength(workflows);
    }
  });

  test('ids of another form are 422', async () => {
    for (const id of ['a'.repeat(65), 'cmp%20x', '$ne']) {
      expect(faultsOf((await api().get(`/v1/campaigns/${id}`).expect(422)).body)).toEqual([['id', 'invalid_string']]);
    }
    await api().get('/v1/campaigns/cmp_unknown').expect(404);
  });
});
