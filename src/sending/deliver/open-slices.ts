import { pause, untilDone } from '../../platform/async';
import { newId } from '../../platform/core';
import type { Core } from '../../platform/core';
import { slicesOfRows } from '../../records/emails';
import type { Outcome } from '../../records/emails';
import { storeSlices } from '../../records/events';
import type { Slice } from '../../records/events';
import { groupedUpTo, heldNames } from '../../rules/email-events';
import { answerOf } from './outcome';

/** Messages recorded within this time, with the same outcome, form one slice. */
const TOGETHER_MS = 20;

interface Filling {
  readonly slice: Omit<Slice, 'at' | 'count'>;
  /** When it happened to the last of its messages. */
  at: Date;
  count: number;
  /** Number of its rows that are not written yet. */
  open: number;
  /** Some of the rows may be another attempt's: they are counted. */
  isDoubtful: boolean;
}

/**
 * The slices of results whose rows hold their events (docs/decisions/0068). A slice is stored a moment after the rows of its messages, and lists know the events
 * from then on; no lane waits for it.
 *
 * | killed                 | found                              | happens                                            |
 * |------------------------|------------------------------------|----------------------------------------------------|
 * | before the rows        | `sending`                          | in doubt: sent again after the lease               |
 * | after some of the rows | rows that name a slice that is not there | the sweep counts them and stores it, within two minutes, or an hour where its clock was behind |
 * | after the slice        | everything                         | nothing                                            |
 */
export class OpenSlices {
  private filling = new Map<string, Filling>();
  private readonly full = new Set<Filling>();
  private storing: Promise<void> | null = null;

  constructor(private readonly core: Pick<Core, 'log'>) {}

  /** Returns accepted results as their rows are to record them. */
  add(outcomes: readonly Outcome[]): readonly Outcome[] {
    const added = outcomes.map((outcome) => this.addOne(outcome));
    if (added.length > 0) this.storing ??= this.storeAll();
    return added;
  }

  /** Marks results as written. `isWhole`: each by its own attempt, as far as is known. */
  written(outcomes: readonly Outcome[], isWhole: boolean): void {
    const ids = new Map<string, number>();
    for (const { set } of outcomes) if (set.slice !== undefined) ids.set(set.slice, (ids.get(set.slice) ?? 0) + 1);
    for (const filling of [...this.filling.values(), ...this.full]) {
      filling.open -= ids.get(filling.slice.id) ?? 0;
      if (!isWhole && ids.has(filling.slice.id)) filling.isDoubtful = true;
    }
  }

  /** Resolves when the slices of all written results are stored. */
  async flush(): Promise<void> {
    await this.storing;
  }

  private addOne(outcome: Outcome): Outcome {
    const { set, events } = outcome;
    const grouped = groupedUpTo(events.map(({ name }) => name));
    const at = happenedAt(outcome);
    const filling = this.fillingOf(outcome, grouped, at);
    if (at > filling.at) filling.at = at;
    filling.count++;
    filling.open++;
    return { ...outcome, set: { ...set, slice: filling.slice.id, grouped, response: answerOf(outcome) } };
  }

  /** All that happens within a second counts as one instant, so that each event stays in its hour and its day. */
  private fillingOf({ email: { projectId, source } }: Outcome, grouped: number, at: Date): Filling {
    const key = [projectId, source, grouped, Math.floor(at.getTime() / 1000)].join('/');
    let filling = this.filling.get(key);
    if (!filling) {
      const slice = { id: newId('evg'), projectId, source, names: heldNames(source, grouped) };
      filling = { slice, at, count: 0, open: 0, isDoubtful: false };
      this.filling.set(key, filling);
    }
    return filling;
  }

  /** Stores what is written every moment, until nothing is left. */
  private async storeAll(): Promise<void> {
    while (this.filling.size > 0 || this.full.size > 0) {
      await pause(TOGETHER_MS);
      for (const filling of this.filling.values()) this.full.add(filling);
      this.filling.clear();
      const written = [...this.full].filter(({ open }) => open === 0);
      for (const filling of written) this.full.delete(filling);
      await untilDone(this.core, 'The events of messages were not stored', async () => storeSlices(await slicesOf(written)));
    }
    this.storing = null;
  }
}

/** A message is accepted before it is sent, also where the clock of the process that accepted it is ahead. */
const happenedAt = ({ email: { createdAt }, set: { sentAt } }: Outcome): Date => (sentAt && sentAt > createdAt ? sentAt : createdAt);

async function slicesOf(written: readonly Filling[]): Promise<readonly Slice[]> {
  const doubtful = written.filter(({ isDoubtful }) => isDoubtful);
  const known = doubtful.length === 0 ? [] : await slicesOfRows(doubtful.map(({ slice }) => slice.id));
  const counts = new Map(known.map(({ id, count }) => [id, count]));
  return written
    .map(({ slice, at, count, isDoubtful }) => ({ ...slice, at, count: isDoubtful ? (counts.get(slice.id) ?? 0) : count }))
    .filter(({ count }) => count > 0);
}
