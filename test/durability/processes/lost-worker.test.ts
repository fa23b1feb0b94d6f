import { fanOutProgressQuery, fanOutPumpId, fanOutShardOf } from '../../../src/contracts/fan-out';
import { listen } from '../../support/platform/fan-out';
import { aPlatform, eventually } from '../../support/platform/platform';
import { forTheFile } from '../../support/run/for-the-file';
import { stored } from '../../support/data/stored';

/** An event of a history. */
type Happened = Awaited<ReturnType<typeof history>>[number];

const WITHIN_MS = 5_000;

const platform = aPlatform();
const temporal = forTheFile(
  () => platform.temporalClient(),
  ({ connection }) => connection.close(),
);

const history = async (pumpId: string) => (await temporal.workflow.getHandle(pumpId).fetchHistory()).events ?? [];
const handedOn = () => eventually('the event was handed on', async () => (await stored.events.count({ fanOut: { $exists: true } })) === 0);

/** Emits an event of Ada. Resolves to the id of the pump that hands it on. */
async function emit(): Promise<string> {
  const { status, body } = await platform.post('/v1/events', { name: 'order.placed', email: 'ada@example.com' });
  expect(status).toBe(201);
  return fanOutPumpId(fanOutShardOf(String(body.data.contactId), platform.keys.projectId));
}

/** The instant of a server's clock in milliseconds. */
const msOf = ({ eventTime }: Happened): number => Number(eventTime?.seconds ?? 0) * 1_000 + Number(eventTime?.nanos ?? 0) / 1e6;

test('what waits for a worker that was killed is given to another one within five seconds', async () => {
  await listen(platform.keys.projectId, 'order.placed');
  const pumpId = await emit();
  await handedOn();
  const pump = temporal.workflow.getHandle(pumpId);
  await eventually('the pump sleeps, known to its worker', async () => (await pump.query(fanOutProgressQuery)).state === 'waiting');
  await platform.worker.kill9();
  await emit();
  await platform.worker.start();
  await handedOn();

  const events = await history(pumpId);
  const [gaveUp] = events.filter(({ workflowTaskTimedOutEventAttributes: of }) => of !== null && of !== undefined);
  const asked = events.find(({ eventId }) => String(eventId) === String(gaveUp?.workflowTaskTimedOutEventAttributes?.scheduledEventId));
  if (!gaveUp || !asked) throw new Error('No task of the pump waited for the worker that was killed');
  expect(msOf(gaveUp) - msOf(asked)).toBeLessThanOrEqual(WITHIN_MS);
});
