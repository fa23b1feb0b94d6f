import { automationRunId } from '../../../../src/contracts/automation';
import { chain, node, send } from '../../../support/calls/automations';
import { summariesOf } from '../../../support/checks/summaries';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { aTemporalClient } from '../../../support/platform/platform-parts';

const platform = aPlatform();
const client = aTemporalClient(platform);

async function found(emailId: string | undefined): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: `EmailId = "${emailId}"` })) ids.push(workflowId);
  return ids;
}

/** As long as a node's name may be, and a branch's, in characters of four bytes. */
const LONG = 'a'.repeat(64);
const WIDE = '🙂'.repeat(32);

test('mail of an execution is found by its id: while it waits, and once it is over', async () => {
  const graph = chain(
    send('first'),
    node(LONG, 'split', { branches: [{ branch: WIDE, weight: 1 }] }),
    send('second'),
    node('w', 'wait_for_event', { event: 'order.placed', timeout: { amount: 3, unit: 'days' } }),
    send('third'),
  );
  const edges = graph.edges.map((edge) => (edge.from === LONG ? { ...edge, branch: WIDE } : edge));
  const draft = await platform.post('/v1/workflows', { name: 'Welcome', trigger: 'event:signed.up', graph: { ...graph, edges } });
  const { workflowId } = draft.body.data as { workflowId: string };
  expect((await platform.request('PATCH', `/v1/workflows/${workflowId}`, { status: 'active' })).status).toBe(200);
  await platform.post('/v1/events', { name: 'signed.up', email: 'ada@example.com' });

  const mailOf = async (count: number): Promise<readonly string[]> =>
    eventually(`${count} messages are made`, async () => {
      const { data } = (await platform.get('/v1/emails?to=ada@example.com')).body as { data: readonly { emailId: string }[] };
      return data.length === count ? data.map(({ emailId }) => emailId) : null;
    });
  const { executionId } = await eventually('it is enrolled', async () => {
    const { data } = (await platform.get(`/v1/workflows/${workflowId}/executions`)).body as { data: readonly { executionId: string }[] };
    return data[0];
  });
  const its = automationRunId(executionId);
  for (const emailId of await mailOf(2)) {
    await eventually('the waiting workflow is found', async () => (await found(emailId)).includes(its), 60_000);
  }
  const [timer] = (await summariesOf(client.workflow.getHandle(its))).filter((text) => text.startsWith('timer '));
  expect(timer).toContain(`${LONG}: split → ${WIDE}, second: send_email)`);

  await platform.post('/v1/events', { name: 'order.placed', email: 'ada@example.com' });
  await client.workflow.getHandle(its).result();
  for (const emailId of await mailOf(3)) {
    await eventually('the workflow that is over is found', async () => (await found(emailId)).includes(its), 60_000);
  }
});
