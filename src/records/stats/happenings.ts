import type { Email } from '../emails';
import type { NewEvent } from '../events';
import type { MailHappening } from './count';
import type { Counter } from './model';

/** Refused at once, it was sent too: what was refused is a part of what was sent (docs/stats.md). */
const COUNTED_AS: Readonly<Record<string, readonly Counter[]>> = {
  'email.sent': ['sent'],
  'email.delivered': ['delivered'],
  'email.opened': ['opened'],
  'email.clicked': ['clicked'],
  'email.bounced': ['sent', 'bounced'],
  'email.complained': ['complained'],
  'email.failed': ['failed'],
  'email.unsubscribed': ['unsubscribed'],
  'email.received': ['received'],
};

export const COUNTED_NAMES: readonly string[] = Object.keys(COUNTED_AS);

// One that comes back late was counted as sent when it was.
const countedAs = (name: string, data: CountedEvent['data'] | undefined): readonly Counter[] =>
  name === 'email.bounced' && data?.['late'] === true ? ['bounced'] : (COUNTED_AS[name] ?? []);

type CountedEvent = Pick<NewEvent, 'projectId' | 'name' | 'data' | 'testMode' | 'at'>;

/**
 * Returns what an event counts as, at its own instant. All counters go by this, so that counters of hours and events agree. What a message has been through
 * before, and what machines do, has `data.first` false, and does not count.
 */
export const happeningsOf = ({ projectId, name, data, testMode, at }: CountedEvent): readonly MailHappening[] =>
  data?.['first'] === false
    ? []
    : countedAs(name, data).map((counter) => ({ projectId, source: data?.['source'] as Email['source'], testMode, counter, at }));
