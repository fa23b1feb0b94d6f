import type { Piece, Pieces } from '../mime';
import type { Tracker } from './links';
import { ITERATION_LIMIT, OUTPUT_LIMIT_BYTES, COST_LIMIT, TRACKED_LINK_LIMIT } from './limits';
import type { Formatters } from './skeleton';
import type { Meter } from './values';
import { TemplateRenderError } from './types';
import type { Decoration, SystemValues, TrackedLink, Values } from './types';

/** The values of `@index` and similar within an `each`. */
export interface LoopCounters {
  index: number;
  key: string | number;
  last: boolean;
}

const NOTHING: Pieces = [];

/** One rendering: what it reads, and what is left of its bounds. All parts of one message share it. */
export class RenderState implements Meter, Tracker {
  /** Filled by blocks: the context of each slot; slot 0 is the root and is read through `values`. */
  readonly contexts: unknown[] = [];
  readonly loops: LoopCounters[] = [];
  /** The output. */
  out: Piece[] = [];
  /** Markup for the two positions of the decoration. */
  top: Pieces = NOTHING;
  bottom: Pieces = NOTHING;
  /** Names of placeholders that resolved to nothing; null where they are not collected. */
  missed: Set<string> | null = null;
  private left = COST_LIMIT;
  private iterations = ITERATION_LIMIT;
  private room = OUTPUT_LIMIT_BYTES;
  private links = TRACKED_LINK_LIMIT;

  constructor(
    readonly values: Values,
    readonly system: SystemValues,
    readonly decoration: Decoration,
    readonly formatters: Formatters,
    /** In which dates and numbers are written unless the template says otherwise. */
    readonly language: string,
    /** The platform's own links in the template, which are never tracked. */
    private readonly ownUrls: readonly string[] = [],
    private readonly strings: ((key: string, values: Values) => string | undefined) | null = null,
  ) {}

  stringOf(key: string): string | undefined {
    return this.strings?.(key, this.values);
  }

  /** Takes from the budget of work: 1 for a lookup or block, more for helpers and for passes over long texts. */
  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new TemplateRenderError('The template takes too much work to render');
  }

  /** Counts output while it grows. */
  grow(bytes: number): void {
    this.checkRoom(bytes);
    this.room -= bytes;
  }

  /** Throws when an output would not fit, before any work on it. A text has at least as many bytes as UTF-16 units. */
  checkRoom(bytes: number): void {
    if (bytes > this.room) throw new TemplateRenderError(`The output is larger than ${OUTPUT_LIMIT_BYTES} bytes`);
  }

  /** Renders a part that is derived from another one with its own limits on loops and size: the author wrote it only once. */
  derived(write: (state: RenderState) => void): Pieces {
    const { room, iterations } = this;
    this.room = OUTPUT_LIMIT_BYTES;
    this.iterations = ITERATION_LIMIT;
    const output = this.written(write);
    this.room = room;
    this.iterations = iterations;
    return output;
  }

  /** Returns the output of a part of the template, separate from the output before. */
  written(write: (state: RenderState) => void): Pieces {
    const { out } = this;
    const own: Piece[] = [];
    this.out = own;
    write(this);
    this.out = out;
    return own;
  }

  iterate(count: number): void {
    this.iterations -= count;
    if (this.iterations < 0) throw new TemplateRenderError(`More than ${ITERATION_LIMIT} loop iterations`);
  }

  get isTracking(): boolean {
    return this.decoration.trackLink !== null;
  }

  /** Returns the link that counts clicks on this URL, or null to keep the URL. */
  tracked(url: string, isShared: boolean): TrackedLink | null {
    const { trackLink } = this.decoration;
    if (!trackLink || this.links <= 0 || this.ownUrls.includes(url)) return null;
    this.links -= 1;
    return trackLink(url, isShared);
  }
}
