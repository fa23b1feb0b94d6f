import { ITERATION_LIMIT, OUTPUT_LIMIT_BYTES, STEP_LIMIT, TRACKED_LINK_LIMIT } from './limits';
import type { Meter } from './scalars';
import { TemplateRenderError } from './types';
import type { Decoration, SystemValues, Values } from './types';

export interface LoopCounters {
  index: number;
  key: string | number;
  last: boolean;
}

/** One rendering: what it reads, and what is left of its bounds. All parts of one message share it. */
export class RenderState implements Meter {
  /** Filled by blocks: the context of each slot; slot 0 is the root and is read through `values`. */
  readonly contexts: unknown[] = [];
  readonly loops: LoopCounters[] = [];
  /** Markup for the two places of the decoration. */
  top = '';
  bottom = '';
  private steps = STEP_LIMIT;
  private iterations = ITERATION_LIMIT;
  private room = OUTPUT_LIMIT_BYTES;
  private links = TRACKED_LINK_LIMIT;

  constructor(
    readonly values: Values,
    readonly system: SystemValues,
    readonly decoration: Decoration,
  ) {}

  /** Takes from the budget of work: 1 for a look-up or block, more for helpers and for passes over long texts. */
  spend(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) throw new TemplateRenderError('The template takes too much work to render');
  }

  /** Counts output while it grows, in UTF-16 units: never more than its bytes. */
  grow(length: number): void {
    this.room -= length;
    if (this.room < 0) throw new TemplateRenderError(`The output is larger than ${OUTPUT_LIMIT_BYTES} bytes`);
  }

  iterate(count: number): void {
    this.iterations -= count;
    if (this.iterations < 0) throw new TemplateRenderError(`More than ${ITERATION_LIMIT} loop iterations`);
  }

  /** The link that counts clicks on this URL, or null when it is to stay. */
  tracked(url: string): string | null {
    const { trackLink } = this.decoration;
    if (!trackLink || this.links <= 0 || url === this.system.unsubscribeUrl || url === this.system.viewInBrowserUrl) return null;
    this.links -= 1;
    return trackLink(url);
  }
}
