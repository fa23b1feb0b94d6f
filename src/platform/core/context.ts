import type { ServerConfig } from '../config';
import type { Processes } from '../../contracts/processes';
import type { Dns } from '../dns';
import type { CallGate } from '../http-client';
import type { Logger } from '../log';
import type { Brand } from '../../contracts/brand';
import type { FrequencyCap } from '../../contracts/frequency-cap';
import type { SendWindows } from '../../contracts/send-windows';
import type { TrackingWish } from '../../contracts/tracking';
import type { Secrets } from '../secrets';
import type { Limited } from './project-limits';

/** The configuration, connections and clients of a process; it has one of each. */
export interface Core {
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly secrets: Secrets;
  /** The port that starts and wakes Temporal workflows. */
  readonly processes: Processes;
  readonly dns: Dns;
  /** Passes or delays calls to customers' servers. */
  readonly calls: CallGate;
}

/** The facts of the project that requests go by, as read when the request was authenticated. */
export interface ProjectFacts extends Limited {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly plan: 'free' | 'starter' | 'growth';
  readonly caps: Readonly<Record<'overall' | 'transactional' | 'campaign' | 'workflow' | 'inbound', number | null>>;
  readonly idSalt: string;
  readonly configVersion: number;
  /** Default tracking for mail of each type; absent where it was never set. */
  readonly tracking?: { readonly [T in 'transactional' | 'marketing']?: TrackingWish };
  /** The form in which the ledger of consent keeps network addresses; absent if it was never set. */
  readonly consent?: { readonly ip: 'off' | 'hash' | 'full' };
  /** Absent if it was never set. */
  readonly brand?: Brand;
  /** When marketing mail may go out that says nothing else; absent where it may at any time. */
  readonly windows?: SendWindows;
  /** Bounds on the marketing mail that a person gets; absent if they were never set. */
  readonly frequencyCaps?: readonly FrequencyCap[];
  /** More recipients than this need the approval of another person; absent where none do. */
  readonly approvalNeededAbove?: number;
  /** The version of the project's strings; absent if it never had any. */
  readonly translations?: number;
  /** Whether persons need a second factor to work in it; absent where they do not. */
  readonly membersNeedSecondFactor?: boolean;
  readonly reputation: {
    readonly state: 'ok' | 'warn' | 'throttled' | 'paused';
    readonly reason: string | null;
    readonly resetAt: Date | null;
  };
}

/** The caller of a request, its project and its mode. Every service function takes it first. */
export interface Context {
  readonly core: Core;
  readonly projectId: string;
  readonly project: ProjectFacts;
  readonly testMode: boolean;
  readonly keyKind: 'secret' | 'test' | 'public';
  /** The origin of the caller, as the audit names callers: of a key, the beginning of the chain of keys that made it. Absent where nobody calls. */
  readonly origin?: string;
  /** False for a key that may only send: it sees the outcome of its messages, but not their content. */
  readonly readsContent?: boolean;
  /** When the caller's key ends; absent where it does not, or where there is none. */
  readonly keyEnd?: Date | undefined;
  /** The person who asks; absent where it is a key or an operator's link. */
  readonly personId?: string;
  readonly requestId: string;
}

/** A part of a Core, of any of its members. */
type PartOfCore = { readonly [Member in keyof Core]?: unknown };

/**
 * Declares a cache, queue or buffer of which each process has one, in addition to the members of its Core. It is created when it is first
 * used and belongs to that Core, so that two Cores in one process share nothing.
 */
export function perCore<Own extends object, C extends PartOfCore = PartOfCore>(make: (core: C) => Own): (core: C) => Own {
  const made = new WeakMap<C, Own>();
  return (core) => {
    let own = made.get(core);
    if (own === undefined) made.set(core, (own = make(core)));
    return own;
  };
}

/** A position in a list that is ordered by an instant, then by id. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

/** Returns a position in a list whose order is that of its ids. */
export const positionAt = (id: string): Position => ({ at: new Date(0), id });

/** Which part of a list is asked for. */
export interface PageRequest {
  readonly limit: number;
  /** The last row of the page before; null for the first page. */
  readonly after: Position | null;
  /** Resolves when this many bytes of rows may be decoded; if absent, they are decoded at once. */
  readonly room?: (bytes: number) => Promise<void>;
}

/** A row of a list, and the position at which the list continues after it. */
export interface Positioned<T> {
  readonly row: T;
  readonly position: Position;
}

export type Rows<T> = AsyncIterable<Positioned<T>>;
