import type { HitKind, MachineReason } from './machine';

/** One request for the pixel or for a link of a message. */
export interface Hit {
  readonly emailId: string;
  readonly kind: HitKind;
  /** The link; null for an open. */
  readonly url: string | null;
  readonly userAgent: string | null;
  /** The same for requests of one message that come from the same address with the same user agent; null where that is not known. */
  readonly client: string | null;
  /** Null for a person's, as far as the request shows. */
  readonly machine: MachineReason | null;
  readonly at: Date;
}
