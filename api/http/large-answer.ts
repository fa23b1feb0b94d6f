import { Places } from '../../src/platform/async';
import type { Context, Core } from '../../src/platform/core';
import { perCore } from '../../src/platform/core';
import { turnFor } from '../../src/platform/limits';
import { unavailable } from './errors';

/** An answer that has no more than so many bytes of rows waits for nothing. */
const PIECE_BYTES = 262_144;
/** So many larger answers are in memory at a time, and so many more of projects that have hardly any. */
const ANSWERS = { most: 4, spare: 4 };

const placesOf = perCore<Places, Pick<Core, 'config'>>(() => new Places(ANSWERS));

/** An answer that may become large: it then waits for a place among large ones until it is sent, and for another for each piece of it; projects go round robin. */
export class LargeAnswer {
  private bytes = 0;
  private readonly ending = new AbortController();
  private leave: (() => void) | null = null;

  constructor(private readonly ctx: Context) {}

  /** Resolves when rows of so many bytes may be taken apart. */
  async room(bytes: number): Promise<void> {
    this.bytes += bytes;
    if (this.bytes < PIECE_BYTES) return;
    const { bytes: piece } = this;
    this.bytes = 0;
    if (!this.leave) await this.enter();
    await turnFor(this.ctx, piece);
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
    this.leave = await placesOf(this.ctx.core).take(this.ctx.projectId);
    if (!this.signal.aborted) return;
    this.leave?.();
    throw this.signal.reason;
  }
}
