import type { ServerConfig } from '../config';
import type { Processes } from '../../contracts/processes';
import type { Dns } from '../dns';
import type { CallGate } from '../http-client';
import type { Logger } from '../log';
import type { Brand } from '../../contracts/brand';
import type { TrackingWish } from '../../contracts/tracking';
import type { Secrets } from '../secrets';

/** What a process has one of. */
export interface Core {
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly secrets: Secrets;
  /** The port that starts and wakes Temporal workflows. */
  readonly processes: Processes;
  readonly dns: Dns;
  /** What calls to customers' servers pass. */
  readonly calls: CallGate;
}

/** The facts of the project that requests go by, as read when the request was authenticated. */
export interface ProjectFacts {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly plan: 'free' | 'starter' | 'growth';
  readonly caps: Readonly<Record<'overall' | 'transactional' | 'campaign' | 'workflow' | 'inbound', number | null>>;
  readonly idSalt: string;
  readonly configVersion: number;
  /** What is followed of mail of a type that says nothing of it itself; absent where nothing was ever said. */
  readonly tracking?: { readonly [T in 'transactional' | 'marketing']?: TrackingWish };
  /** How the ledger of consent keeps network addresses; absent where nothing was ever said. */
  readonly consent?: { readonly ip: 'off' | 'hash' | 'full' };
  /** Absent where nothing was ever said of it. */
  readonly brand?: Brand;
  readonly reputation: {
    readonly state: 'ok' | 'warn' | 'throttled' | 'paused';
    readonly reason: string | null;
    readonly resetAt: Date | null;
  };
}

/** Who asks, for which project, and in which mode. Every service function takes it first. */
export interface Context {
  readonly core: Core;
  readonly projectId: string;
  readonly project: ProjectFacts;
  readonly testMode: boolean;
  readonly keyKind: 'secret' | 'test' | 'public';
  /** False for a key that may only send: it sees what became of its messages, and not what they say. */
  readonly readsContent?: boolean;
  /** When the caller's key ends; absent where it does not, or where there is none. */
  readonly keyEnd?: Date | undefined;
  readonly requestId: string;
}
