import { newId } from '../core';
import { answer } from '../async';
import { leave, listen, stopListening } from './service';
import type { WakeWatch } from './watch';

/** Tells a run of a pump about new work: it promises to watch the pump's row, and polls it. */
export class Listener {
  private readonly id = newId('pmp');
  /** The pump's sequence as read before the last look for work: unchanged, it proves that nothing was missed. */
  private sequence = 0;
  private promisedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly pump: string,
    private readonly watch: WakeWatch,
    private readonly promiseMs: number,
  ) {}

  /** Renews the promise when it is time. To be called before each look for work. */
  async promise(): Promise<void> {
    if (performance.now() - this.promisedAt < this.promiseMs) return;
    this.promisedAt = performance.now();
    this.sequence = await answer(() => listen(this.pump, this.id));
  }

  /** Waits until the pump is woken, or a moment has passed. */
  async pause(): Promise<void> {
    this.sequence = await this.watch.changed(this.pump, this.sequence);
  }

  /** Resolves once the pump is woken, or after a moment; the next `pause` learns of it as well. */
  async woken(): Promise<void> {
    await this.watch.changed(this.pump, this.sequence);
  }

  /** Ends the promise unless somebody woke the pump meanwhile: then resolves to false, and there is more to do. */
  async stop(): Promise<boolean> {
    if (await answer(() => stopListening(this.pump, this.id, this.sequence))) return true;
    this.promisedAt = Number.NEGATIVE_INFINITY;
    return false;
  }

  /** Ends the promise, for a run that is to end at once. */
  leave(): Promise<void> {
    return answer(() => leave(this.pump, this.id));
  }
}
