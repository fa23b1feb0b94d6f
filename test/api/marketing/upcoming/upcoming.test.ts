import { checkRollout } from '../../../../src/marketing/campaigns/rollout';
import { activate, always, chain, drive, enrol, hour, node, waits } from '../../../support/calls/automations';
import { campaignCalls } from '../../../support/calls/campaigns';
import { rowsOf } from '../../../support/calls/lists';
import { lookedAt, queryPlans } from '../../../support/checks/query-plans';
import { scheduled, storeEmails } from '../../../support/data/email-rows';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { DAY_MS, closedWindows, openingOf } from '../../../support/data/windows';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { act, api, contact, draft, freeze, running } = campaignCalls(() => app);

interface Entry {
  readonly at: string;
  readonly kind: string;
  readonly [id: string]: string;
}

/** Noon, some days from now. */
const noon = (days: number): string => openingOf('UTC', days);
const byInstant = (a: Entry, b: Entry): number => (a.at < b.at ? -1 : Number(a.at > b.at));

const upcoming = (query: object = {}, key?: string): Promise<Entry[]> => rowsOf<Entry>(api(key), '/v1/upcoming', query);
const kindsOf = async (query: object = {}): Promise<string[]> => (await upcoming(query)).map(({ kind }) => kind);

async function email(to: string, sendAt: string): Promise<string> {
  const { body } = await api().post('/v1/send').send({ to, from: 'a@hello.test', subject: 'Hello', text: 'Hello', sendAt }).expect(200);
  return body.data.results[0].id as string;
}

async function campaign(content: object, launch: object = {}): Promise<string> {
  const { campaignId } = await draft(content);
  await act(campaignId, 'send', launch).expect(200);
  return campaignId;
}

const series = (): Promise<string> =>
  campaign({ schedule: { rrule: 'FREQ=DAILY;BYHOUR=12;BYMINUTE=0', timezone: 'UTC' } }, { scheduledFor: noon(4).replace('T12', 'T11') });

/** Somebody who waits in a new automation, and until when. */
async function waiting(graph: object, contactId: string): Promise<{ workflowId: string; executionId: string; at: string }> {
  const workflowId = await activate(app, graph, always);
  const executionId = await enrol(app, workflowId, contactId);
  await drive(app.core, app.keys.projectId, executionId);
  const { body } = await api().get(`/v1/workflows/executions/${executionId}`).expect(200);
  return { workflowId, executionId, at: body.data.waitingUntil as string };
}

beforeEach(async () => {
  await Promise.all([stored.emails.remove(), stored.contacts.remove(), stored.campaigns.remove(), stored.executions.remove()]);
});

/** Something of every kind; the e-mail, the campaign and the end of the pause at the same instant. */
async function everything() {
  const address = freshAddress();
  const contactId = await contact(address);
  const emailId = await email(address, noon(2));
  const scheduledId = await campaign({ abSubjectB: 'Hi', abSamplePct: 20 }, { scheduledFor: noon(2), abDecideAt: noon(5) });
  const pausedId = await running(0);
  await act(pausedId, 'pause', { until: noon(2) }).expect(200);
  const seriesId = await series();
  const inTurnsId = await campaign({ windows: closedWindows() });
  await freeze(inTurnsId);
  const inStepsId = await running(0, {}, { rollout: [{ percent: 1, wait: { amount: 8, unit: 'days' } }, { percent: 100 }] });
  const stepAt = noon(6);
  const now = Date.parse(stepAt) - 8 * DAY_MS;
  await checkRollout(app.core, { campaignId: inStepsId, projectId: app.keys.projectId, step: 0, now });
  const slept = await waiting(chain(hour, node('end', 'exit')), contactId);
  const heard = await waiting(waits(), contactId);
  const snoozedUntil = noon(20);
  await stored.contacts.change(contactId, { snoozedUntil: new Date(snoozedUntil) });
  const entries: readonly Entry[] = [
    { at: noon(5), kind: 'ab_decision', campaignId: scheduledId },
    { at: noon(2), kind: 'campaign', campaignId: scheduledId },
    { at: stepAt, kind: 'rollout_step', campaignId: inStepsId },
    { at: noon(3), kind: 'campaign_recipients', campaignId: inTurnsId },
    { at: noon(4), kind: 'campaign_turn', campaignId: seriesId },
    { at: noon(2), kind: 'email', emailId, contactId },
    { ...slept, kind: 'execution', contactId },
    { ...heard, kind: 'execution', contactId },
    { at: noon(2), kind: 'pause_end', campaignId: pausedId },
  ];
  return { entries: entries.toSorted(byInstant), contactId, scheduledId, inTurnsId, inStepsId, pausedId, slept, emailId, snoozedUntil };
}

test('all that lies ahead of a project is in one list, the soonest first', async () => {
  const { entries } = await everything();
  expect(await upcoming()).toEqual(entries);
});

test.each([1, 2, 3, 5])('pages of %i have each entry once, also of those at the same instant', async (limit) => {
  const { entries, contactId } = await everything();
  for (const days of [2, 2, 2, 6]) await email(freshAddress(), noon(days));
  const whole = await upcoming({ limit: 100 });
  expect(whole).toHaveLength(entries.length + 4);
  expect(await upcoming({ limit })).toEqual(whole);
  expect(await upcoming({ limit, contactId })).toEqual(await upcoming({ contactId }));
});

test('an entry that is cancelled between two pages is on none, and moves no other', async () => {
  const ids: string[] = [];
  for (const days of [1, 2, 3, 4]) ids.push(await email(freshAddress(), noon(days + 1)));
  const seen = await rowsOf<Entry>(api(), '/v1/upcoming', { limit: 2 }, async (page) => {
    if (page === 0) for (const id of [ids[0], ids[2]]) await api().delete(`/v1/emails/${id}`).expect(200);
  });
  expect(seen.map(({ emailId }) => emailId)).toEqual([ids[0], ids[1], ids[3]]);
});

test('a contact, a campaign or an automation narrows the list to what has to do with it', async () => {
  const { entries, contactId, scheduledId, inTurnsId, slept, snoozedUntil } = await everything();
  const someoneElse = await contact(freshAddress());
  const ofContact = [
    ...entries.filter((entry) => entry['contactId'] === contactId),
    { at: noon(3), kind: 'campaign_recipients', campaignId: inTurnsId, contactId },
    { at: snoozedUntil, kind: 'snooze_end', contactId },
  ];
  expect(await upcoming({ contactId })).toEqual(ofContact.toSorted(byInstant));
  expect(await upcoming({ campaignId: scheduledId })).toEqual(entries.filter(({ campaignId }) => campaignId === scheduledId));
  expect(await upcoming({ workflowId: slept.workflowId })).toEqual([{ ...slept, kind: 'execution', contactId }]);
  expect(await kindsOf({ contactId, campaignId: inTurnsId })).toEqual(['campaign_recipients']);
  expect(await kindsOf({ contactId, workflowId: slept.workflowId })).toEqual(['execution']);
  expect(await upcoming({ contactId: someoneElse })).toEqual([]);
  expect(await upcoming({ campaignId: scheduledId, workflowId: slept.workflowId })).toEqual([]);
});

test('mail of an automation that waits for its window is in the list of the automation', async () => {
  const [row] = await storeEmails(app.keys.projectId, { ...scheduled(3), source: 'workflow', workflowId: 'wfl_1' }, scheduled(3));
  expect(await upcoming({ workflowId: 'wfl_1' })).toMatchObject([{ kind: 'email', emailId: row?._id, workflowId: 'wfl_1' }]);
});

test('what is cancelled, held, decided or over is in no list', async () => {
  const { scheduledId, inTurnsId, inStepsId, pausedId, emailId } = await everything();
  await act(scheduledId, 'cancel').expect(200);
  await act(inTurnsId, 'pause').expect(200);
  await act(inStepsId, 'pause').expect(200);
  await act(pausedId, 'resume').expect(200);
  await api().delete(`/v1/emails/${emailId}`).expect(200);
  await stored.executions.remove();
  expect(await kindsOf()).toEqual(['campaign_turn']);
});

test.each([
  ['without an end', {}, []],
  ['that ends after the turn', { until: noon(6) }, ['pause_end']],
  ['that ends before the turn', { until: noon(3) }, ['pause_end', 'campaign_turn']],
])('a turn of a series is in the list unless a pause prevents it: a pause %s', async (_what, pause, kinds) => {
  const id = await series();
  await act(id, 'pause', pause).expect(200);
  expect(await kindsOf({ campaignId: id })).toEqual(kinds);
});

test.each([
  ['without an end', {}, []],
  ['that ends after the turn', { until: noon(6) }, ['pause_end']],
  ['that ends before the turn', { until: noon(2) }, ['pause_end', 'campaign_recipients']],
])('so are the recipients of a campaign with windows: a pause %s', async (_what, pause, kinds) => {
  await contact(freshAddress());
  const id = await campaign({ windows: closedWindows() });
  await freeze(id);
  await act(id, 'pause', pause).expect(200);
  expect(await kindsOf({ campaignId: id })).toEqual(kinds);
});

test('ids of another project, and ids that never were, have nothing ahead', async () => {
  const { contactId, scheduledId, inTurnsId, slept } = await everything();
  const filters = [{}, { contactId }, { campaignId: scheduledId }, { campaignId: inTurnsId, contactId }, { workflowId: slept.workflowId }];
  for (const filter of filters) expect(await upcoming(filter, app.otherKeys.secret)).toEqual([]);
  for (const name of ['contactId', 'campaignId', 'workflowId']) expect(await upcoming({ [name]: 'never_was' })).toEqual([]);
  const { body } = await api().get('/v1/upcoming?contactId=a.b').expect(422);
  expect(body.details).toMatchObject([{ path: 'contactId', code: 'invalid_string' }]);
});

test('a page reads about as many rows as it shows, along indexes, however much lies ahead', async () => {
  const { contactId, slept } = await everything();
  const mail = Array.from({ length: 300 }, (_, index) => ({
    ...scheduled(1 + index / 300),
    contactId: `ctc_${index % 2}`,
    workflowId: 'wfl_1',
  }));
  await storeEmails(app.keys.projectId, ...mail);
  const execution = await stored.executions.get(slept.executionId);
  const sleepers = Array.from({ length: 300 }, (_, index) => ({
    ...execution,
    _id: `exe_${index}`,
    contactId: `ctc_${index % 2}`,
    state: { ...execution.state, until: new Date(Date.now() + DAY_MS + index * 1_000).toISOString() },
  }));
  await stored.executions.collection.insertMany(sleepers as never);
  const first = (await api().get('/v1/upcoming?limit=4').expect(200)).body.nextCursor as string;
  const filters = [{}, { cursor: first }, { contactId: 'ctc_1' }, { contactId }, { workflowId: 'wfl_1' }, { workflowId: slept.workflowId }];
  for (const filter of filters) {
    const ask = () =>
      api()
        .get('/v1/upcoming')
        .query({ limit: 4, ...filter })
        .expect(200);
    for (const collection of ['emails', 'automation_executions', 'campaigns']) {
      const plans = await queryPlans(collection, ask);
      expect([filter, collection, plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)]).toEqual([
        filter,
        collection,
        [],
      ]);
      expect([filter, collection, (await lookedAt(collection, ask)) < 60]).toEqual([filter, collection, true]);
    }
  }
});
