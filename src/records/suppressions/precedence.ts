import type { OptOutLink, Suppression, SuppressionReason, SuppressionSource } from './model';

export interface NewSuppression {
  /** Normalized: lower case, domain in ASCII. */
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly source: SuppressionSource;
  readonly at: Date;
  /** Set for an opt-out that the person may take back by the same link. */
  readonly optOutLink?: OptOutLink | null;
}

type State = Pick<Suppression, 'reason' | 'source' | 'hiddenOptOut' | 'optOutLink'>;

/**
 * Returns an address's record after a further suppression; the record itself when nothing changes. A blocking reason hides an opt-out,
 * never the other way. Of blocking reasons the first one stays, since it is what a person would have to remove; only a complaint that the
 * recipient's provider reports outranks the others. The record keeps its age, and so its position in lists.
 */
export function joined<T extends State>(
  record: T,
  { reason, source, optOutLink = null }: Pick<NewSuppression, 'reason' | 'source' | 'optOutLink'>,
): T {
  if (reason === 'unsubscribe') {
    const known = record.reason === 'unsubscribe' || record.hiddenOptOut !== null;
    return known ? record : { ...record, hiddenOptOut: { source }, optOutLink };
  }
  if (record.reason === 'unsubscribe') {
    return { ...record, reason, source, hiddenOptOut: { source: record.source } };
  }
  const outranks = reason === 'complaint' && source !== 'api' && record.reason !== 'complaint';
  return outranks ? { ...record, reason, source } : record;
}

/** Returns the rest of a record whose reason is removed: the opt-out that it hid, or nothing. */
export const lifted = <T extends State>(record: T): T | null =>
  record.hiddenOptOut && { ...record, reason: 'unsubscribe', ...record.hiddenOptOut, hiddenOptOut: null };
