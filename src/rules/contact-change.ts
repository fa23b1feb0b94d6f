import { sameJson } from './same-json';

type Data = Readonly<Record<string, unknown>>;

/** The fields of a contact that a change can set. */
export interface ContactFields {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly subscribed: boolean;
  readonly data: Data | null;
  readonly locale: string | null;
  readonly timezone: string | null;
  /** When the person opted out; null for one who never did, or who subscribed again. */
  readonly optedOutAt: Date | null;
}

/** A change of a contact; absent members keep their value, `data` is merged key by key. */
export interface ContactChange {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly subscribed?: boolean | undefined;
  /** A null value removes its key; null clears all. */
  readonly data?: Data | null | undefined;
  readonly locale?: string | null | undefined;
  readonly timezone?: string | null | undefined;
}

/** A contact as a change leaves it. */
export interface ChangedContact {
  readonly fields: ContactFields;
  /** The members that differ from before, `data` as `data.<key>`; of a new contact, those that were given. */
  readonly changed: readonly string[];
  /** Set when the contact changed sides. A new contact changes none. */
  readonly turned: 'subscribed' | 'unsubscribed' | null;
}

const BLANK: ContactFields = {
  firstName: null,
  lastName: null,
  subscribed: true,
  data: null,
  locale: null,
  timezone: null,
  optedOutAt: null,
};

/**
 * Returns a contact after a change (docs/contacts.md, Merging). `current` is null for a new one, which is subscribed unless `startsSubscribed` is false:
 * its address may have opted out before, or the caller did not say. Text is kept in NFC. An explicit `subscribed: false` is an opt-out.
 */
export function changeContact(current: ContactFields | null, change: ContactChange, now: Date, startsSubscribed = true): ChangedContact {
  const before = current ?? { ...BLANK, subscribed: startsSubscribed };
  const subscribed = change.subscribed ?? before.subscribed;
  const fields: ContactFields = {
    firstName: change.firstName === undefined ? before.firstName : (composed(change.firstName) as string | null),
    lastName: change.lastName === undefined ? before.lastName : (composed(change.lastName) as string | null),
    locale: given(change.locale, before.locale),
    timezone: given(change.timezone, before.timezone),
    subscribed,
    data: mergeData(before.data, change.data),
    optedOutAt: optOutAfter(before, change.subscribed, now),
  };
  const turned = !current || before.subscribed === subscribed ? null : subscribed ? 'subscribed' : 'unsubscribed';
  return { fields, changed: [...changedMembers(before, fields), ...changedKeys(before.data, fields.data)], turned };
}

const given = (text: string | null | undefined, before: string | null): string | null => (text === undefined ? before : text);

/** Returns a JSON value with every text in it, keys too, in Unicode's form NFC: what looks the same is the same. */
function composed(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (Array.isArray(value)) return value.map(composed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.normalize('NFC'), composed(inner)]));
}

/** Returns the same data object when nothing in it changes. */
function mergeData(before: Data | null, given: Data | null | undefined): Data | null {
  if (given === undefined) return before;
  if (given === null) return null;
  if (before === null && Object.values(given).every((value) => value === null)) return null;
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(given)) {
    if (value === null) delete merged[key];
    else merged[key] = composed(value);
  }
  return sameJson(before, merged) ? before : merged;
}

function optOutAfter(before: ContactFields, subscribed: boolean | undefined, now: Date): Date | null {
  if (subscribed === undefined) return before.optedOutAt;
  return subscribed ? null : (before.optedOutAt ?? now);
}

const MEMBERS = ['firstName', 'lastName', 'subscribed', 'locale', 'timezone'] as const;

const changedMembers = (before: ContactFields, after: ContactFields): readonly string[] =>
  MEMBERS.filter((member) => before[member] !== after[member]);

function changedKeys(before: Data | null, after: Data | null): readonly string[] {
  if (before === after) return [];
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...keys].filter((key) => !sameJson(before?.[key], after?.[key])).map((key) => `data.${key}`);
}
