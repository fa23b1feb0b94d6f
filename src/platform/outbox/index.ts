import { randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { eachSettled } from '../async';
import { afterCommit, perDatabase, model, rowSchema } from '../mongo';
import { Batcher } from '../batch';
import type { Core } from '../core';
import type { Intent, StartIntent } from '../../contracts/processes';
import { noteUnderWay } from './under-way';
import { perCore } from '../core';
import { Windows } from '../limits';

export { checkAllNow, nextCheck, sweepUnderWay } from './under-way';

/** A workflow that is wanted, or a signal, and perhaps not given yet; written with the documents that need it. */
interface OutboxRow {
  /** The workflow's id; of a signal, and of one intent among several, with the id of its cause. Of what many want, with the name of the process. */
  readonly _id: string;
  /** JSON text of the intent. */
  readonly intent: string;
  readonly createdAt: Date;
}

const outboxSchema = rowSchema<OutboxRow>({
  _id: { type: String, required: true },
  intent: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
outboxSchema.index({ createdAt: 1 }); // the sweep: the oldest intents first
export const OutboxModel = model<OutboxRow>('Outbox', outboxSchema, 'outbox');

/** A row of this age was lost by the process that wrote it, or Temporal was unavailable. */
const FORGOTTEN_MS = 5_000;
const PAGE = 500;
const AT_ONCE = 20;

/** Returns whether an intent may come again before it is done; repeats within seconds are done once. */
const isRepeatable = (intent: Intent): boolean => (intent.kind === 'start' ? intent.orSignal !== undefined : intent.repeatable === true);

/** Returns whether an intent replaces its row from an earlier time that Temporal did not take. */
const isReplaced = (intent: Intent): boolean => isRepeatable(intent) || (intent.kind === 'start' && intent.again === true);

function idOf(intent: Intent): string {
  const cause = intent.kind === 'start' ? intent.cause : intent.id;
  return cause === undefined ? intent.workflowId : `${intent.workflowId}#${cause}`;
}

/** Names the rows of this process: an intent that many requests want, such as the workflow of a minute, is not one row that their transactions meet in. */
const writer = perDatabase(() => ({ name: randomBytes(6).toString('base64url') }));

const rowId = (intent: Intent): string => (isRepeatable(intent) ? `${idOf(intent)}~${writer().name}` : idOf(intent));

/**
 * Stores intents in the transaction of the documents that need them: neither exists without the other. After the commit the caller gives them to `startNow`.
 */
export async function want(session: ClientSession, intents: readonly Intent[]): Promise<void> {
  if (intents.length === 0) return;
  const createdAt = new Date();
  const row = (intent: Intent): OutboxRow => ({ _id: rowId(intent), intent: JSON.stringify(intent), createdAt });
  const once = intents.filter((intent) => !isReplaced(intent)).map(row);
  if (once.length > 0) await OutboxModel.collection.insertMany(once, { session, ordered: true });
  for (const { _id, ...rest } of intents.filter(isReplaced).map(row)) {
    await OutboxModel.collection.replaceOne({ _id: _id }, rest, { session, upsert: true });
  }
  await noteUnderWay(session, intents, createdAt);
}

/** Does as `want`, and gives the intents to `startNow` after the commit. */
export async function wantNow(session: ClientSession, core: Pick<Core, 'processes' | 'log'>, intents: readonly Intent[]): Promise<void> {
  await want(session, intents);
  afterCommit(session, () => startNow(core, intents));
}

/** Starts the workflows and gives the signals, then clears the intents; what fails is left for the sweep. */
export function startNow(core: Pick<Core, 'processes' | 'log'>, intents: readonly Intent[]): void {
  for (const intent of intents) {
    const pace = intent.kind === 'start' && intent.urgent ? 'urgent' : 'seldom';
    if (isRepeatable(intent)) seldom(core).do(`${idOf(intent)} ${pace}`, EVERY_MS[pace], () => void startSoon(core, intent));
    else void startSoon(core, intent);
  }
}

/** Does the same for one intent, which does not repeat another one, and resolves when Temporal has taken it, or has not. */
export const startSoon = (core: Pick<Core, 'processes' | 'log'>, intent: Intent): Promise<void> =>
  carryOut(core, intent).catch((error: unknown) =>
    core.log.warn({ err: error, workflowId: intent.workflowId }, 'Temporal did not accept the intent; the sweep retries'),
  );

/**
 * Asks the workflow of an intent to carry out an update now, instead of leaving it to the intent. Resolves when that is done, or after
 * `withinMs`: then the intent is left for the sweep.
 */
export async function askNow(core: Pick<Core, 'processes' | 'log'>, intent: StartIntent, update: string, withinMs: number): Promise<void> {
  try {
    const wantedBy = new Date();
    await core.processes.ask(intent, update, withinMs);
    await clearOf(intent, rowId(intent), wantedBy);
  } catch (error) {
    core.log.warn({ err: error, workflowId: intent.workflowId }, 'Temporal did not answer in time; the sweep retries');
  }
}

/** Sends an intent to Temporal. A row written after `wantedBy` stays: it asks for it again. */
async function carryOut(core: Pick<Core, 'processes'>, intent: Intent, _id = rowId(intent), wantedBy = new Date()): Promise<void> {
  if (intent.kind === 'start') await core.processes.start(intent);
  else await core.processes.signal(intent);
  await clearOf(intent, _id, wantedBy);
}

async function clearOf(intent: Intent, _id: string, wantedBy: Date): Promise<void> {
  if (isReplaced(intent)) await OutboxModel.deleteOne({ _id, createdAt: { $lte: wantedBy } });
  else await clear().add(_id);
}

const clear = perDatabase(() => new Batcher((ids: readonly string[]) => OutboxModel.collection.deleteMany({ _id: { $in: [...ids] } })));

/**
 * Carries out what was wanted and never done. Resolves to how many; throws when Temporal does not take one, once the others have been carried out: the
 * oldest come first, and one that is never taken must not keep the rest back.
 */
export async function sweepOutbox(core: Pick<Core, 'processes'>, now: Date): Promise<number> {
  const rows = await OutboxModel.find({ createdAt: { $lt: new Date(now.getTime() - FORGOTTEN_MS) } })
    .sort({ createdAt: 1 })
    .limit(PAGE)
    .lean<OutboxRow[]>();
  await eachSettled(rows, AT_ONCE, ({ _id, intent, createdAt }) => carryOut(core, JSON.parse(intent) as Intent, _id, createdAt));
  return rows.length;
}

/** Resolves to how many intents wait, and since when the oldest does. */
export async function outboxWaiting(maxTimeMS: number): Promise<{ readonly oldest: Date | null; readonly rows: number }> {
  const [first, rows] = await Promise.all([
    OutboxModel.collection.findOne<Pick<OutboxRow, 'createdAt'>>({}, { projection: { createdAt: 1 }, sort: { createdAt: 1 }, maxTimeMS }),
    OutboxModel.collection.estimatedDocumentCount({ maxTimeMS }),
  ]);
  return { oldest: first?.createdAt ?? null, rows };
}

/** The least time between two calls to Temporal for one key: messages of one minute come in thousands, and their workflow is one. */
const EVERY_MS = { seldom: 5_000, urgent: 500 } as const;

/** Does work of each key seldom. */
class Seldom {
  private readonly recent = new Map<string, { again: (() => void) | null }>();

  /** Does the work of a key at once, or together with what else comes for the key within a time of the last: the latest, once, at its end. */
  do(key: string, everyMs: number, work: () => void): void {
    const current = this.recent.get(key);
    if (current) {
      current.again = work;
      return;
    }
    const made: { again: (() => void) | null } = { again: null };
    this.recent.set(key, made);
    setTimeout(() => {
      this.recent.delete(key);
      if (made.again) this.do(key, everyMs, made.again);
    }, everyMs).unref();
    work();
  }
}

const seldom = perCore(() => new Seldom());

const reminders = perCore(() => new Windows({ most: 1, windowMs: 10 * 60_000, keys: 10_000 }));

/** Returns whether a workflow that is late may be signaled: every sweep finds it, and it may have its reasons. */
export const mayRemind = (core: Pick<Core, 'processes'>, workflowId: string): boolean => reminders(core).take(workflowId);
