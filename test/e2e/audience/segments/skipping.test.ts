import { followSegments } from '../../../../src/audience/segments/memberships';
import { eventually } from '../../../support/platform/platform';
import { all } from '../../../support/calls/segment-calls';
import { aSkippingPlatform } from '../../../support/platform/skipping';
import { stored } from '../../../support/data/stored';

const platform = aSkippingPlatform({}, [followSegments]);

async function post(route: string, body: object): Promise<Record<string, unknown>> {
  const { status, data } = await platform.call('POST', route, body);
  expect(status).toBe(201);
  return data;
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
  const isIn = async (): Promise<boolean> => (await stored.members.one(`${String(segmentId)}:${String(contactId)}`)) !== null;
  await eventually('Ada is in', isIn);
  await platform.env.sleep('29 days');
  await sweep();
  expect(await isIn()).toBe(true);
  await platform.env.sleep('25 hours');
  await sweep();
  await sweep();
  expect(await isIn()).toBe(false);
  const emitted = await stored.events.all({ name: /^segment\./ }, { _id: 1 });
  expect(emitted.map(({ name, contactId: whose }) => [name, whose])).toEqual([
    ['segment.entered', contactId],
    ['segment.exited', contactId],
  ]);
});
