/** All messages of one request that go out at the same instant. */
export interface ScheduledSendInput {
  /** ISO 8601 instant. */
  readonly sendAt: string;
  readonly shards: readonly number[];
}

/** `of` is the e-mail's id, or the request's when it has several messages. */
export const scheduledSendId = (of: string): string => `scheduled-send/${of}`;
