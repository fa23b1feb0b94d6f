import type { Email, Outcome } from '../../records/emails';
import type { Listening } from '../../records/events';
import type { Clock, Lane, Leave } from './transport';

/** A pump's callbacks for the messages that it found. */
export interface Finder {
  readonly clock: Clock;
  /** Called with how many were new to this worker. */
  readonly added: (count: number) => void;
  /** Called once for each message: it is recorded, another worker has claimed it, or it is left for a later look. */
  readonly done: () => void;
  /** Called with 1 when it waits for its destination, and with -1 when it waits no more: the pump may look for others meanwhile. */
  readonly held: (by: 1 | -1) => void;
}

const NOT_YET = (): void => undefined;

/** A message on its way: it waits for a lane, is claimed for one, and waits there to be recorded. */
export class Delivery {
  /** Ends the permission of its destination. */
  leave: Leave = NOT_YET;
  /** Called with its lane once it is claimed, or with null: it is another worker's, or for a later look. */
  claimed: (lane: Lane | null) => void = NOT_YET;
  recorded: () => void = NOT_YET;
  lane: Lane | null = null;
  /** The transport that its gate chose, where there are several. */
  over: string | undefined = undefined;
  outcome: Outcome | null = null;
  /** Since when it waits, in milliseconds. */
  readonly since = performance.now();

  constructor(
    /** From its claim on, as this attempt has it. */
    public email: Email,
    readonly pump: Finder,
    /** Asks who listens to its events. */
    readonly listening: () => Promise<Listening>,
  ) {}
}
