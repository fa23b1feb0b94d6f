import { sha256 } from '../../platform/core';
import type { Context } from '../../platform/core';
import type { Keep } from '../../platform/idempotency';
import type { ApprovalBasis, ApprovalSummary } from './model';
import type { Shown } from './payload-model';

/** The effect of a request now. */
export interface Described {
  readonly summary: ApprovalSummary;
  readonly basis: ApprovalBasis;
  /** Names people; null where it names nobody. */
  readonly shown?: Shown | null;
  /** All addresses that it names. */
  readonly names?: readonly string[];
}

/** The version of what was carried out, in the transaction that did it. */
interface Done {
  readonly version: number | string;
  /** Compared with those of the basis, where the version does not tell. */
  readonly references?: string;
}

/** Describes one request and carries it out. */
export interface Kind {
  /** Says what it would do. Throws what would refuse it now. */
  describe(ctx: Context): Promise<Described>;
  /** Does it, for as many recipients as were approved; `keep` is called in its transaction. */
  perform(ctx: Context, recipients: number | null, keep: Keep<Done>): Promise<void>;
  /** The instant that it is for; null where it is done at once. */
  readonly at: Date | null;
  /** The audit entry. Without its own reason, it takes the request's. */
  readonly audited: readonly [action: string, subject: string | null, reason?: string];
}

/** The version of what has none: its hash tells whether it has changed. */
export const UNVERSIONED = -1;

/** Says that what was approved is not what would be done. */
export class Changed extends Error {
  override readonly name = 'Changed';
}

export const hashOf = (...parts: readonly unknown[]): string => sha256(JSON.stringify(parts));

/** Returns a number with what it counts. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
