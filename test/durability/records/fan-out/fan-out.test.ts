import { fanOutProgressQuery, fanOutPumpId, fanOutShardOf } from '../../../../src/contracts/fan-out';
import { emitOnce } from '../../../../src/records/events/emit';
import { newId } from '../../../../src/platform/core/ids';
import type { HandedOn } from '../../../support/platform/fan-out';
import { handedOn, listen } from '../../../support/platform/fan-out';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { aPart, aTemporalClient } from '../../../support/platform/platform-parts';
import { stored } from '../../../support/data/stored';

jest.setTimeout(240_000);

const CONTACTS = 20;

const platform = aPlatform({ ownServers: true });
beforeAll(async () => {
  await platform.worker.stop();
  await listen(platform.keys.projectId, 'step');
});
const worker = aPart(() => new Part('test/support/platform/fan-out-worker.ts', platform.env, 'Recording worker is ready'));

const temporal = aTemporalClient(platform);

const addresses = (run: string): string[] => Array.from({ length: CONTACTS }, (_, n) => `${run}-${n}@example.com`);

/** Emits events of so many steps for each contact, one after another, the contacts side by side. Resolves to the contacts' ids. */
const steps = (run: string, count: number, after: (n: number) => Promise<unknown> = async () => undefined): Promise<string[]> =>
  Promise.all(
    addresses(run).map(async (email) => {
      let contactId = '';
      for (let n = 0; n < count; n++) {
        const { status, body } = await platform.post('/v1/events', { name: 'step', email, data: { n } });
        if (status !== 201) throw new Error(`Not accepted: ${status} ${JSON.stringify(body)}`);
        contactId = body.data.contactId as string;
        await after(n);
      }
      return contactId;
    }),
  );

const heardOf = (contactId: string): Promise<HandedOn[]> => handedOn().find({ contactId }).sort({ _id: 1 }).toArray();
const waiting = (): Promise<number> => stored.events.count({ fanOut: { $exists: true } });
const allHandedOn = (): Promise<unknown> => eventually('everything was handed on', async () => (await waiting()) === 0, 60_000);

/** Each event at least once, and for the first time in the order in which the caller emitted them. */
async function expectInOrder(contactIds: readonly string[], count: number): Promise<number> {
  let heard = 0;
  for (const contactId of contactIds) {
    const all = (await heardOf(contactId)).map(({ n }) => n);
    heard += all.length;
    expect([...new Set(all)]).toEqual(Array.from({ length: count }, (_, n) => n));
  }
  return heard;
}

test('an idle platform hands an event on, before a sweep would', async () => {
  const [first] = await steps('first', 1);
  await eventually('it was handed on', async () => (await heardOf(first ?? '')).length === 1, 20_000);
  await allHandedOn();
  expect(await heardOf(first ?? '')).toHaveLength(1);
});

test('a worker killed in the middle loses no event and no order', async () => {
  const contactIds = await steps('killed', 8);
  await eventually('some were handed on', async () => (await handedOn().countDocuments({ contactId: { $in: contactIds } })) >= 20);
  await worker.kill9();
  expect(await waiting()).toBeGreaterThan(0);
  await worker.start();
  await allHandedOn();
  const heard = await expectInOrder(contactIds, 8);
  expect(heard).toBeGreaterThanOrEqual(CONTACTS * 8);
});

const TAKEN_OVER_MS = 5_000;

const history = async (pumpId: string) => (await temporal.workflow.getHandle(pumpId).fetchHistory()).events ?? [];
/** The instant of a server's clock in milliseconds. */
const msOf = ({ eventTime }: Awaited<ReturnType<typeof history>>[number]): number =>
  Number(eventTime?.seconds ?? 0) * 1_000 + Number(eventTime?.nanos ?? 0) / 1e6;

test('what waits for a worker that was killed is given to another one within five seconds', async () => {
  const [contactId = ''] = await steps('lost', 1);
  await allHandedOn();
  const pumpId = fanOutPumpId(fanOutShardOf(contactId, platform.keys.projectId));
  const pump = temporal.workflow.getHandle(pumpId);
  await eventually('the pump sleeps, known to its worker', async () => (await pump.query(fanOutProgressQuery)).state === 'waiting');
  await worker.kill9();
  await steps('lost', 1);
  await worker.start();
  await allHandedOn();

  const events = await history(pumpId);
  const gaveUp = events.findLast(({ workflowTaskTimedOutEventAttributes: of }) => of !== null && of !== undefined);
  const asked = events.find(({ eventId }) => String(eventId) === String(gaveUp?.workflowTaskTimedOutEventAttributes?.scheduledEventId));
  if (!gaveUp || !asked) throw new Error('No task of the pump waited for the worker that was killed');
  expect(msOf(gaveUp) - msOf(asked)).toBeLessThanOrEqual(TAKEN_OVER_MS);
});

test('events are taken while Temporal is away, and handed on when it is back', async () => {
  await worker.stop();
  await platform.temporal.kill9();
  const contactIds = await steps('away', 3);
  expect(await waiting()).toBe(CONTACTS * 3);
  await platform.temporal.restart();
  await worker.start();
  await allHandedOn();
  await expectInOrder(contactIds, 3);
});

test('events without a wake-up are found by the sweep', async () => {
  await eventually('the pumps sleep', async () => (await handedOn().findOne({ at: { $gt: new Date(Date.now() - 3_000) } })) === null);
  // This process stores and does not wake, as one that was killed right after its commit.
  const event = {
    projectId: platform.keys.projectId,
    name: 'step',
    contactId: null,
    data: { n: 'forgotten' },
    testMode: false,
    at: new Date(),
  };
  const id = newId('evt');
  await emitOnce([{ ...event, id }]);
  const found = await eventually('the sweep has found it', () => handedOn().findOne({ eventId: id }), 120_000);
  expect(found.n).toBe('forgotten');
  await allHandedOn();
});
