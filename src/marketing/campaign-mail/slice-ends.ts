import { untilDone } from '../../platform/async';
import type { Core } from '../../platform/core';
import { perCore } from '../../platform/core';
import { endClaims } from '../../records/emails';
import type { ClaimKey } from '../../records/emails';
import { storeSlices } from '../../records/events';
import type { Slice } from '../../records/events';

/** A slice whose messages all have rows. */
export interface RecordedSlice {
  readonly claim: ClaimKey;
  /** The events that its rows represent; null where each event is a row of its own. */
  readonly slice: Slice | null;
}

/** Slices that end within this time end together: a process records some thirty in a second, and each would take two commands. */
const TOGETHER_MS = 200;

interface Waiting {
  readonly slices: RecordedSlice[];
  readonly begin: () => void;
  readonly ended: Promise<void>;
}

/** Ends slices: lets the events that their rows stand for be known, and then ends their claims. */
class SliceEnds {
  private waiting: Waiting | null = null;

  constructor(private readonly core: Pick<Core, 'log'>) {}

  /** Resolves when the slice has ended. */
  end(slice: RecordedSlice): Promise<void> {
    this.waiting ??= this.gather();
    this.waiting.slices.push(slice);
    return this.waiting.ended;
  }

  /** Ends what waits for others no later than now. */
  hurry(): void {
    this.waiting?.begin();
  }

  private gather(): Waiting {
    const slices: RecordedSlice[] = [];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TOGETHER_MS);
      begin = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    const ended = begun.then(() => {
      this.waiting = null;
      return this.endAll(slices);
    });
    return { slices, begin, ended };
  }

  private async endAll(recorded: readonly RecordedSlice[]): Promise<void> {
    const slices = recorded.flatMap(({ slice }) => slice ?? []);
    await untilDone(this.core, 'The events of slices were not stored', () => storeSlices(slices));
    const claims = recorded.map(({ claim }) => claim);
    await untilDone(this.core, 'Claims were not ended', () => endClaims(claims));
  }
}

/** The slices of a process that have their rows and have not ended. */
export const sliceEnds = perCore((core: Pick<Core, 'log'>) => new SliceEnds(core));
