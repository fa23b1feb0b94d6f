import type { ClientSession } from 'mongoose';
import { eachSettled } from '../async';
import type { Core } from '../core';
import type { Intent, StartIntent } from '../../contracts/processes';
import { model, rowSchema } from '../mongo';

/** A workflow that is to run until its documents say that it is over; written with the documents that need it. */
interface UnderWayRow {
  /** The workflow's id. */
  readonly _id: string;
  /** JSON text of the intent that starts it. */
  readonly intent: string;
  readonly since: Date;
  /** When the sweep checks whether it is over, and whether it runs. */
  readonly checkAt: Date;
}

const underWaySchema = rowSchema<UnderWayRow>({
  _id: { type: String, required: true },
  intent: { type: String, required: true },
  since: { type: Date, required: true },
  checkAt: { type: Date, required: true },
});
underWaySchema.index({ checkAt: 1 }); // the sweep: what was checked longest ago

export const UnderWayModel = model<UnderWayRow>('UnderWay', underWaySchema, 'processes_under_way');

/** Each is checked every five minutes, as far as a sweep every ten seconds can manage. */
const CHECK_EVERY_MS = 5 * 60_000;
const PAGE = 500;
const AT_ONCE = 20;
/** Until then, that its documents say it is over is not final: what was being written when it was wanted may still come. */
const FORGET_AFTER_MS = 10 * 60_000;

const underWay = () => UnderWayModel.collection;

const lasts = (intent: Intent): intent is StartIntent => intent.kind === 'start' && intent.lasts === true;

const rowOf = (intent: StartIntent, now: Date): UnderWayRow => ({
  _id: intent.workflowId,
  intent: JSON.stringify(intent),
  since: now,
  checkAt: afterwards(now),
});

const afterwards = (now: Date): Date => new Date(now.getTime() + CHECK_EVERY_MS);

/** Notes the workflows that last, in the transaction that wants them. */
export async function noteUnderWay(session: ClientSession, intents: readonly Intent[], now: Date): Promise<void> {
  for (const { _id, ...rest } of intents.filter(lasts).map((intent) => rowOf(intent, now))) {
    await underWay().replaceOne({ _id: _id }, rest, { session, upsert: true });
  }
}

/** Marks all workflows to be checked by the sweep now: Temporal was replaced since they started. */
export const checkAllNow = async (now: Date): Promise<void> => {
  await underWay().updateMany({}, { $set: { checkAt: now } });
};

/** Resolves to when the next check of a workflow that lasts is due, or was; null where none lasts. */
export async function nextCheck(maxTimeMS: number): Promise<Date | null> {
  const row = await underWay().findOne<Pick<UnderWayRow, 'checkAt'>>({}, { projection: { checkAt: 1 }, sort: { checkAt: 1 }, maxTimeMS });
  return row?.checkAt ?? null;
}

/**
 * Starts the workflows that should run and do not, and forgets those that have ended, according to their documents. Resolves to the number
 * of rows examined. Throws when Temporal refuses one, after trying the others.
 *
 * | lost                                     | found                            | happens                                                      |
 * |------------------------------------------|----------------------------------|--------------------------------------------------------------|
 * | Temporal's store                         | rows of what is not over         | each is started, and continues from its documents             |
 * | the documents since an instant           | rows and documents of one instant | what has ended in Temporal is started; what runs is left alone |
 * | this process, before the next date is set| the row, due                     | the same: one that runs is left alone                        |
 */
export async function sweepUnderWay(
  core: Pick<Core, 'processes'>,
  isOver: (intent: StartIntent) => Promise<boolean>,
  now: Date,
): Promise<number> {
  const rows = await underWay()
    .find<UnderWayRow>({ checkAt: { $lte: now } }, { sort: { checkAt: 1 }, limit: PAGE })
    .toArray();
  await eachSettled(rows, AT_ONCE, (row) => restartIfLost(core, isOver, row, now));
  return rows.length;
}

async function restartIfLost(
  core: Pick<Core, 'processes'>,
  isOver: (intent: StartIntent) => Promise<boolean>,
  { _id, intent: text, since, checkAt }: UnderWayRow,
  now: Date,
): Promise<void> {
  const intent = JSON.parse(text) as StartIntent;
  const filter = { _id: _id, checkAt };
  const isDone = await isOver(intent);
  if (isDone && now.getTime() - since.getTime() > FORGET_AFTER_MS) {
    await underWay().deleteOne(filter);
    return;
  }
  if (!isDone) await core.processes.start(plain(intent));
  await underWay().updateOne(filter, { $set: { checkAt: afterwards(now) } });
}

/** Removes the signal from an intent: a workflow that runs is left alone. */
const plain = ({ orSignal: _orSignal, ...intent }: StartIntent): StartIntent => intent;
