import { ExecutionModel } from '../../../../src/marketing/automations/execution-model';
import { CampaignClickModel } from '../../../../src/marketing/campaigns/link-model';
import { CampaignModel } from '../../../../src/marketing/campaigns/model';
import { CampaignPageModel } from '../../../../src/marketing/campaigns/page-model';
import { EventGroupModel } from '../../../../src/records/events/group-model';
import { EventModel } from '../../../../src/records/events/model';
import { tallyEvents } from '../../../../src/records/events/tally';
import { retentionTurn } from '../../../../src/upkeep/retention/turn';
import { DeliveryModel } from '../../../../src/sending/webhooks/delivery-model';
import { aProject } from '../../../support/app';
import { activate, always, chain, contact, drive, enrol, hour, play, send, emitted } from '../../../support/automations';
import { queryPlans } from '../../../support/query-plans';
import { SHORT, ago, retentionCalls } from '../../../support/retention';

const app = aProject({ config: SHORT });

const { calls, project, sweep, read, running } = retentionCalls(() => app);

test('events go by when they came, those in groups as well; what is to be handed on stays; names keep their counts', async () => {
  const contactId = await contact(app);
  const [old, backdated, waiting, young] = [
    await emitted(app, 'aged', contactId),
    await emitted(app, 'aged', contactId, { at: ago(300) }),
    await emitted(app, 'aged', contactId),
    await emitted(app, 'aged', contactId),
  ];
  const past = { createdAt: ago(101), receivedAt: ago(101) };
  await EventModel.updateOne({ _id: old._id }, { $set: past, $unset: { fanOut: 1 } });
  await EventModel.updateOne({ _id: backdated._id }, { $unset: { fanOut: 1 } });
  await EventModel.updateOne({ _id: waiting._id }, { $set: { ...past, fanOut: 3, fanOutAt: ago(101) } });
  const group = { projectId: project(), emails: ['em_1'], contacts: [null], source: 'campaign', names: ['email.sent'] };
  await EventGroupModel.insertMany([
    { _id: 'evg_old', ...group, ...past },
    { _id: 'evg_new', ...group, createdAt: new Date(), receivedAt: new Date() },
  ]);
  const names = async () => (await app.api().get('/v1/events/names').expect(200)).body as { data: { name: string; count: number }[] };
  const before = await names();
  await sweep();
  expect(await EventModel.countDocuments({ name: 'aged' })).toBe(4);
  await tallyEvents();
  await sweep();
  const left = await EventModel.find({ name: 'aged' }).distinct('_id');
  expect(new Set(left)).toEqual(new Set([backdated._id, waiting._id, young._id]));
  expect(await EventGroupModel.find({ _id: /^evg_/ }).distinct('_id')).toEqual(['evg_new']);
  expect(await names()).toEqual(before);
});

test('executions go when they have been over for so long; one that runs stays; counts stay, and whom an automation had', async () => {
  const id = await activate(app, chain(send('m')), { reentry: 'never' });
  const contactId = await contact(app);
  const { executionId } = await play(app, id, contactId);
  const waitingId = await activate(app, chain(hour), always);
  const running = await enrol(app, waitingId, contactId);
  await drive(app.core, project(), running);
  await ExecutionModel.updateMany({ _id: { $in: [executionId, running] } }, { $set: { createdAt: ago(300) } });
  await ExecutionModel.updateOne({ _id: executionId }, { $set: { finishedAt: ago(101) } });
  const before = await read(`/v1/workflows/${id}`);
  await sweep();
  expect(await ExecutionModel.find({ _id: { $in: [executionId, running] } }).distinct('_id')).toEqual([running]);
  expect(await read(`/v1/workflows/${id}`)).toEqual(before);
  await app.api().post(`/v1/workflows/${id}/enroll`).send({ contactId }).expect(409);
});

test('webhook deliveries go when they are over, at an age under thirty days if that is wanted', async () => {
  const short = { ...app.core, config: { ...app.core.config, RETENTION_DAYS: 5 } };
  const row = { projectId: project(), webhookId: 'whk_1', eventId: 'evt_1', eventName: 'a', createdAt: ago(6) };
  await DeliveryModel.insertMany([
    { _id: 'over', ...row, status: 'succeeded' },
    { _id: 'waits', ...row, status: 'pending', dueAt: new Date() },
    { _id: 'young', ...row, status: 'failed', createdAt: ago(4) },
  ]);
  await retentionTurn(short, { now: Date.now(), after: null }, new AbortController().signal);
  expect(await DeliveryModel.find({ projectId: project() }).distinct('_id')).toEqual(['waits', 'young']);
});

test('an audience goes with its pages and clicks when its campaign ended long ago, and no one can be sent to again by it', async () => {
  const campaignId = await running(3);
  await calls.deliver(await calls.rows(campaignId));
  await CampaignPageModel.create([{ _id: `${campaignId}/0`, campaignId, untouched: true }]);
  await CampaignClickModel.create([{ _id: `${campaignId}/click` }]);
  await calls.finish(campaignId);
  await CampaignPageModel.create([{ _id: `${campaignId}/1`, campaignId, untouched: true }]);
  await CampaignModel.updateOne({ _id: campaignId }, { $set: { startedAt: ago(120), endedAt: ago(99), sentAt: ago(99) } });
  await sweep();
  expect(await calls.rows(campaignId)).toHaveLength(3);
  await CampaignModel.updateOne({ _id: campaignId }, { $set: { endedAt: ago(101), sentAt: ago(101) } });
  await sweep();
  expect(await calls.rows(campaignId)).toEqual([]);
  expect(await CampaignPageModel.countDocuments({ campaignId })).toBe(0);
  expect(await CampaignClickModel.countDocuments({ _id: `${campaignId}/click` })).toBe(0);
  const { body } = await calls.act(campaignId, 'resend-non-openers').expect(409);
  expect((body as { code: string }).code).toBe('invalid_state');
});

test('everything is found by an index', async () => {
  for (const collection of [
    'events',
    'event_groups',
    'automation_executions',
    'webhook_deliveries',
    'contact_notes',
    'campaigns',
    'contents',
    'blobs',
  ]) {
    const plans = await queryPlans(collection, () => sweep());
    expect(plans.filter(({ plan }) => plan.startsWith('COLLSCAN')).map(({ plan }) => `${collection} ${plan}`)).toEqual([]);
  }
});
