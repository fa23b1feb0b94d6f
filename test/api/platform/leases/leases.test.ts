import mongoose, { Schema } from 'mongoose';
import { IS_PRESENT, Lease, Presence, leaseMember, presenceModel } from '../../../../src/platform/leases';
import type { LeaseHolder, PresentRow } from '../../../../src/platform/leases';
import { model } from '../../../../src/platform/mongo';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';

aProject();

interface Row {
  readonly _id: string;
  readonly count: number;
  readonly lease?: LeaseHolder;
}

interface Called extends PresentRow {
  readonly name: string;
}

const RowModel = model<Row>('LeasedRow', new Schema<Row>({ _id: String, count: Number, lease: leaseMember() }), 'leased_rows');
const CalledModel = presenceModel<Called>('CalledProcess', { name: String }, 'called_processes');

// Other files of the process ask which models the product has.
afterAll(() => {
  for (const { modelName } of [RowModel, CalledModel]) mongoose.deleteModel(modelName);
});

const LONG_MS = 60_000;
const lease = (ms = LONG_MS) => new Lease(RowModel, 'one', ms, { count: 0 });
const add = { $inc: { count: 1 } };
const row = () => RowModel.collection.findOne({ _id: 'one' });

beforeEach(async () => {
  await RowModel.collection.deleteMany({});
  await CalledModel.collection.deleteMany({});
});

describe('a lease', () => {
  test('is one process’s until it is given up, and what is left says who had it last', async () => {
    const [first, second] = [lease(), lease()];
    expect([await first.take(), await second.take(), await first.take()]).toEqual([true, false, true]);
    expect((await row())?.lease?.by).toContain(`process ${process.pid}`);
    await first.giveUp();
    expect(await row()).toEqual({ _id: 'one', count: 0 });
    expect(await second.take()).toBe(true);
  });

  test('is one’s of many that ask for it at once, also when the row is not there yet', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => lease().take()));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  test('is another’s when it was not renewed in time; who lost it changes nothing, and takes nothing away', async () => {
    const [late, next] = [lease(1), lease()];
    expect(await late.take()).toBe(true);
    await eventually('its time is over', () => next.take());
    expect(await late.change(add)).toBe(false);
    await late.giveUp('count');
    expect([await late.take(), await next.change(add)]).toEqual([false, true]);
    expect(await row()).toMatchObject({ count: 1 });
  });

  test('that is kept outlasts its time', async () => {
    const [kept, other] = [lease(900), lease()];
    await kept.take();
    const first = (await row())?.lease?.until;
    kept.keep();
    await eventually('it is renewed', async () => Number((await row())?.lease?.until) > Number(first) + 900);
    expect(await other.take()).toBe(false);
    await kept.giveUp();
  });

  test('takes away what its holder said of now', async () => {
    const holder = lease();
    await holder.take();
    await holder.giveUp('count');
    expect(await row()).toEqual({ _id: 'one' });
  });
});

describe('presence', () => {
  const present = async () => (await CalledModel.find({ $expr: IS_PRESENT }).lean<Called[]>()).map(({ name }) => name);

  test('lasts as long as it is said, and ends at once when the process leaves', async () => {
    const [staying, leaving, lost] = [
      new Presence(CalledModel, 'a', LONG_MS),
      new Presence(CalledModel, 'b', LONG_MS),
      new Presence(CalledModel, 'c', 1),
    ];
    await staying.say({ name: 'stays' });
    await leaving.say({ name: 'leaves' });
    await lost.say({ name: 'is lost' });
    await leaving.leave();
    await eventually('the lost one is known', async () => (await present()).length === 1);
    expect(await present()).toEqual(['stays']);
    expect(await CalledModel.collection.countDocuments()).toBe(2);
  });

  test('that is changed lasts no longer, and is not there again after its end', async () => {
    const one = new Presence(CalledModel, 'a', LONG_MS);
    await one.change({ name: 'nobody' });
    expect(await present()).toEqual([]);
    await one.say({ name: 'before' });
    const until = async () => (await CalledModel.collection.findOne({ _id: 'a' }))?.leaseUntil;
    const before = await until();
    await one.change({ name: 'after' });
    expect([await present(), await until()]).toEqual([['after'], before]);
  });
});
