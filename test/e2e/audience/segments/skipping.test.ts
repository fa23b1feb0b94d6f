import { EventModel } from '../../../../src/records/events/model';
import { followSegments } from '../../../../src/audience/segments/follow';
import { SegmentMemberModel } from '../../../../src/audience/segments/member-model';
import { eventually } from '../../../support/platform';
import { all } from '../../../support/segment-calls';
import { startSkippingPlatform } from '../../../support/skipping';
import type { SkippingPlatform } from '../../../support/skipping';

let platform: SkippingPlatform;

beforeAll(async () => {
  platform = await startSkippingPlatform({}, [followSegments]);
});
afterAll(() => platform.stop());

async function post(route: string, body: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${platform.keys.secret}`, 'content-type': 'application/json' };
  const response = await fetch(platform.url + route, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

const sweep = (): Promise<unknown> =>
  platform.env.client.workflow.execute('segmentSweep', { workflowId: `segment-sweep-${Math.random()}`, taskQueue: 'orchestration' });

test('an active contact leaves after 30 days, not a day before, and with one event', async () => {
  const { segmentId } = await post('/v1/segments', {
    name: 'Active',
    conditions: all({ field: 'event.login', operator: 'triggeredWithin', value: 30, unit: 'days' }),
  });
  const { contactId } = await post('/v1/contacts', { email: 'ada@example.com' });
  await post('/v1/events', { name: 'login', email: 'ada@example.com' });
  const isIn = async (): Promise<boolean> =>
    (await SegmentMemberModel.exists({ _id: `${String(segmentId)}:${String(contactId)}` })) !== null;
  await eventually('Ada is in', isIn);
  await platform.env.sleep('29 days');
  await sweep();
  expect(await isIn()).toBe(true);
  await platform.env.sleep('25 hours');
  await sweep();
  await sweep();
  expect(await isIn()).toBe(false);
  const emitted = await EventModel.find({ name: /^segment\./ })
    .sort({ _id: 1 })
    .lean();
  expect(emitted.map(({ name, contactId: whose }) => [name, whose])).toEqual([
    ['segment.entered', contactId],
    ['segment.exited', contactId],
  ]);
});
