import { tallyEvents } from '../../../../src/records/events/tally';
import { applyRetention } from '../../../../src/upkeep/retention/apply';
import { aProject } from '../../../support/platform/app';
import { activate, always, chain, contact, drive, enrol, hour, play, send, emitted } from '../../../support/calls/automations';
import { queryPlans } from '../../../support/checks/query-plans';
import { SHORT, ago, retentionCalls } from '../../../support/calls/retention';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: SHORT });

const { calls, project, sweep, read, running } = retentionCalls(() => app);

test('events go by when they came; what is to be handed on stays; names keep their counts', async () => {
  const contactId = await contact(app);
  const [old, backdated, waiting, young] = [
    await emitted(app, 'aged', contactId),
    await emitted(app, 'aged', contactId, { at: ago(300) }),
    await emitted(app, 'aged', contactId),
    await emitted(app, 'aged', contactId),
  ];
  const past = { createdAt: ago(101), receivedAt: ago(101) };
  await stored.events.change(old._id, { $set: past, $unset: { fanOut: 1 } });
  await stored.events.change(backdated._id, { $unset: { fanOut: 1 } });
  await stored.events.change(waiting._id, { ...past, fanOut: 3, fanOutAt: ago(101) });
  const names = async () => (await app.api().get('/v1/events/names').expect(200)).body as { data: { name: string; count: number }[] };
  const before = await names();
  await sweep();
  expect(await stored.events.count({ name: 'aged' })).toBe(4);
  await tallyEvents();
  await sweep();
  const left = await stored.events.distinct('_id', { name: 'aged' });
  expect(new Set(left)).toEqual(new Set([backdated._id, waiting._id, young._id]));
  expect(await names()).toEqual(before);
});

test('executions go when they have been over for so long; one that runs stays; counts stay, and whom an automation had', async () => {
  const id = await activate(app, chain(send('m')), { reentry: 'never' });
  const contactId = await contact(app);
  const { executionId } = await play(app, id, contactId);
  const waitingId = await activate(app, chain(hour), always);
  const running = await enrol(app, waitingId, contactId);
  await drive(app.core, project(), running);
  await stored.executions.changeAll({ _id: { $in: [executionId, running] } }, { createdAt: ago(300) });
  await stored.executions.change(executionId, { finishedAt: ago(101) });
  const before = await read(`/v1/workflows/${id}`);
  await sweep();
  expect(await stored.executions.distinct('_id', { _id: { $in: [executionId, running] } })).toEqual([running]);
  expect(await read(`/v1/workflows/${id}`)).toEqual(before);
  await app.api().post(`/v1/workflows/${id}/enroll`).send({ contactId }).expect(409);
});

test('webhook deliveries go when they are over, at an age under thirty days if that is wanted', async () => {
  const short = { ...app.core, config: { ...app.core.config, RETENTION_DAYS: 5 } };
  const row = { projectId: project(), webhookId: 'whk_1', eventId: 'evt_1', eventName: 'a', sequence: 1, createdAt: ago(6) };
  await stored.deliveries.make([
    { _id: 'over', ...row, status: 'succeeded' },
    { _id: 'waits', ...row, status: 'pending', dueAt: new Date() },
    { _id: 'young', ...row, status: 'failed', createdAt: ago(4) },
  ]);
  await applyRetention(short, { now: Date.now(), after: null }, new AbortController().signal);
  expect(await stored.deliveries.distinct('_id', { projectId: project() })).toEqual(['waits', 'young']);
});

test('an audience goes with its pages and clicks when its campaign ended long ago, and no one can be sent to again by it', async () => {
  const campaignId = await running(3);
  await calls.deliver(await calls.rows(campaignId));
  await stored.campaignPages.make([{ _id: `${campaignId}/0`, campaignId, untouched: true }]);
  await stored.campaignClicks.make([{ _id: `${campaignId}/click`, at: ago(100) }]);
  await calls.finish(campaignId);
  await stored.campaignPages.make([{ _id: `${campaignId}/1`, campaignId, untouched: true }]);
  await stored.campaigns.change(campaignId, { startedAt: ago(120), endedAt: ago(99), sentAt: ago(99) });
  await sweep();
  expect(await calls.rows(campaignId)).toHaveLength(3);
  await stored.campaigns.change(campaignId, { endedAt: ago(101), sentAt: ago(101) });
  await sweep();
  expect(await calls.rows(campaignId)).toEqual([]);
  expect(await stored.campaignPages.count({ campaignId })).toBe(0);
  expect(await stored.campaignClicks.count({ _id: `${campaignId}/click` })).toBe(0);
  const { body } = await calls.act(campaignId, 'resend-non-openers').expect(409);
  expect((body as { code: string }).code).toBe('invalid_state');
});

test('everything is found by an index', async () => {
  for (const collection of ['events', 'automation_executions', 'webhook_deliveries', 'contact_notes', 'campaigns', 'contents', 'blobs']) {
    const plans = await queryPlans(collection, () => sweep());
    expect(plans.filter(({ plan }) => plan.startsWith('COLLSCAN')).map(({ plan }) => `${collection} ${plan}`)).toEqual([]);
  }
});
