import { mailIdsUnderWay } from '../../marketing/campaigns';
import { findContacts } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { databaseNow } from '../../platform/mongo';
import type { ErasureInput, ErasureProgress } from '../../contracts/removals';
import { countUnerased } from '../../records/emails';
import { countWaiting } from '../../records/events';
import { ErasureModel } from './model';
import type { Erasure } from './model';
import { sealContextOf } from './service';
import { STEPS } from './steps';
import type { Subject } from './steps';

/** Grace period for writes that were in flight when a contact was deleted. */
const IN_FLIGHT_MS = 30_000;
const TURN_MS = 20_000;
/** Between checks what is on its way: most mail is gone within seconds, some is retried for a day. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 15 * 60_000;

/**
 * Erases one batch, and says when there is more to do. A pass goes through all persons and all steps; the last one begins
 * when everything that was being written at the deletion has ended, and finds nothing of them on its way. Then the addresses are removed.
 *
 * | killed                           | found                                        | happens                                                |
 * |----------------------------------|----------------------------------------------|--------------------------------------------------------|
 * | before the deletion's commit     | the contact, untouched                       | the caller asks again                                  |
 * | after it, no workflow            | the erasure's document, the intent             | the sweep starts the workflow                          |
 * | in a page                        | some rows erased                             | the others are found, and only they                    |
 * | after a page, before it is noted | the rows erased, their number lower by those | continues with the same person; nothing is found for them |
 * | in the last write                | the document with its addresses              | another pass, which finds nothing                      |
 */
export async function continueErasure(
  core: Core,
  { erasureId, projectId }: ErasureInput,
  now: Date,
  signal: AbortSignal,
): Promise<ErasureProgress> {
  const erasure = await ErasureModel.findOne({ _id: erasureId, projectId }).lean<Erasure>();
  if (!erasure) return { status: 'completed', contacts: 0, erased: 0, open: 0, waitMs: 0 };
  if (erasure.addresses === null) return progressOf(erasure, 0);
  const addresses = JSON.parse(core.secrets.decrypt(sealContextOf(erasure), erasure.addresses)) as string[];
  const deadline = performance.now() + TURN_MS;
  const isTimeUp = (): boolean => signal.aborted || performance.now() > deadline;
  const began = erasure.pass.began ?? now;
  for (let { done, open } = erasure.pass; done < erasure.contactIds.length; done++) {
    const person = { projectId, contactId: erasure.contactIds[done] ?? '', address: addresses[done] ?? '' };
    const mail = await countUnerased(person, await mailIdsUnderWay(projectId, person.contactId));
    const subject = await subjectOf(erasure, person, now);
    const found = mail + (await countWaiting(projectId, person.contactId, subject.eventsUpTo));
    const { counts, unfinished } = await erasePerson(core, subject, now, isTimeUp);
    open += unfinished ? 0 : found;
    await note(erasure, counts, { pass: { done: unfinished ? done : done + 1, began, open }, status: 'running' });
    if (isTimeUp()) return progressOf(await reread(erasure), 0);
  }
  return endPass(await reread(erasure), began, now);
}

/**
 * Keeps what came after the deletion for a contact that was made again. The time up to which events are erased is read after mail was counted: what
 * ended before the count left its events by then, though this batch may have been scheduled earlier.
 */
async function subjectOf({ before }: Pick<Erasure, 'before'>, person: Person, now: Date): Promise<Subject> {
  const { projectId, contactId } = person;
  const eventsNow = new Date(Math.max(now.getTime(), (await databaseNow()).getTime()));
  const isAnew = (await findContacts(projectId, [contactId])).has(contactId);
  const quietAt = new Date(before.getTime() + IN_FLIGHT_MS);
  const upTo = isAnew ? before : quietAt;
  const eventsUpTo = isAnew || eventsNow < upTo ? upTo : eventsNow;
  return { ...person, upTo, eventsUpTo, isAnew, isQuiet: now >= quietAt };
}

type Person = Pick<Subject, 'projectId' | 'contactId' | 'address'>;

interface Done {
  readonly counts: Readonly<Record<string, number>>;
  /** The time was up. */
  readonly unfinished: boolean;
}

async function erasePerson(core: Core, subject: Subject, now: Date, isTimeUp: () => boolean): Promise<Done> {
  const counts: Record<string, number> = {};
  for (const [name, step] of STEPS) {
    for (let rows = await step(core, subject, now); rows > 0; rows = await step(core, subject, now)) {
      counts[name] = (counts[name] ?? 0) + rows;
      if (isTimeUp()) return { counts, unfinished: true };
    }
  }
  return { counts, unfinished: false };
}

async function note({ _id, projectId }: Erasure, counts: Done['counts'], set: Partial<Erasure>): Promise<void> {
  const $inc = Object.fromEntries(Object.entries(counts).map(([name, by]) => [`erased.${name}`, by]));
  await ErasureModel.updateOne({ _id, projectId }, { $set: set, $inc });
}

async function endPass(erasure: Erasure, began: Date, now: Date): Promise<ErasureProgress> {
  const { before, pass, waits } = erasure;
  const quietAt = before.getTime() + IN_FLIGHT_MS;
  const anew = { done: 0, began: null, open: 0 };
  if (pass.open === 0 && began.getTime() >= quietAt) {
    await note(erasure, {}, { status: 'completed', addresses: null, pass: anew, open: 0, finishedAt: new Date() });
    return progressOf(await reread(erasure), 0);
  }
  const isQuiet = now.getTime() >= quietAt;
  await note(erasure, {}, { status: 'waiting', pass: anew, open: pass.open, waits: isQuiet ? waits + 1 : 0 });
  const waitMs = isQuiet ? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits) : quietAt - now.getTime();
  return progressOf(await reread(erasure), waitMs);
}

const reread = async ({ _id, projectId }: Erasure): Promise<Erasure> =>
  (await ErasureModel.findOne({ _id, projectId }).lean<Erasure>()) as Erasure;

const progressOf = ({ status, contactIds, erased, open }: Erasure, waitMs: number): ErasureProgress => ({
  status,
  contacts: contactIds.length,
  erased: Object.values(erased).reduce((sum, rows) => sum + rows, 0),
  open,
  waitMs,
});
