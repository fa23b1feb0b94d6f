import { Places } from '../../src/platform/async';
import type { Context, Core } from '../../src/platform/core';
import { perCore } from '../../src/platform/core';
import { unavailable } from './errors';

/** An answer that has no more than so many bytes of rows waits for nothing. */
const PIECE_BYTES = 262_144;
/** So many larger answers are in memory at a time, and so many more of projects that have hardly any. */
const ANSWERS = { most: 4, spare: 4 };
/** After a piece the process, and the machine, is for others three times as long as the piece took, but no longer than a tenth of a second. */
const PAUSE = { times: 3, mostMs: 100 } as const;

/** What larger answers of a process share. */
interface Shares {
  readonly answers: Places;
  /** One piece of an answer for each iteration of the event loop: other requests go on between two. */
  readonly pieces: Places;
}

const sharesOf = perCore<Shares, Pick<Core, 'config'>>(() => ({ answers: new Places(ANSWERS), pieces: new Places({ most: 1 }) }));

/** An answer that may become large: it then waits for a place among large ones until it is sent, and for another for each piece of it; projects go round robin. */
export class LargeAnswer {
  private readonly shares: Shares;
  private readonly projectId: string;
  private bytes = 0;
  private readonly ending = new AbortController();
  private leave: (() => void) | null = null;

  constructor({ core, projectId }: Context) {
    this.shares = sharesOf(core);
    this.projectId = projectId;
  }

  /** Resolves when rows of so many bytes may be taken apart. */
  async room(bytes: number): Promise<void> {
    this.bytes += bytes;
    if (this.bytes < PIECE_BYTES) return;
    this.bytes = 0;
    if (!this.leave) await this.enter();
    const leave = await this.shares.pieces.take(this.projectId);
    const began = performance.now();
    setImmediate(() => setTimeout(() => leave?.(), Math.min(PAUSE.mostMs, PAUSE.times * (performance.now() - began))));
  }

  /** Gives its place back, or the one that it waits for. */
  over(): void {
    this.ending.abort(unavailable('The client has left'));
    this.leave?.();
  }

  /** Aborted when it is over, sent or not. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  private async enter(): Promise<void> {
    this.leave = await this.shares.answers.take(this.projectId);
    if (!this.signal.aborted) return;
    this.leave?.();
    throw this.signal.reason;
  }
}
