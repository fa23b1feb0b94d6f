import { normalizeAddress } from '../../platform/addresses';
import { invalidRequest } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { instantOf } from '../../rules/conditions/instants';
import type { ContactChange } from '../../rules/contact-change';
import type { Form, FormField } from './model';

/** A member that no person sees, and most robots fill in. */
export const HONEYPOT = 'website_url';
/** Members of a form that are none of its fields. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set(['email', HONEYPOT, 'challenge', 'proof']);

/** A person's answers to a form. */
export interface Filled {
  readonly email: string;
  readonly fields: Omit<ContactChange, 'subscribed'>;
}

type Value = string | number | boolean;
type Read = (text: string) => Value | null;

const MOST_CHARACTERS = 500;
const MOST_OF_NAME = 200;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const YES: ReadonlySet<string> = new Set(['on', 'true', '1', 'yes']);

const READERS: Readonly<Record<FormField['type'], Read>> = {
  text: (text) => (text.length <= MOST_CHARACTERS && !/[\r\n\0]/.test(text) ? text : null),
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null),
  boolean: (text) => YES.has(text.toLowerCase()),
  date: (text) => (DATE.test(text) && instantOf(text) !== null ? text : null),
};

const OWN: ReadonlySet<string> = new Set(['firstName', 'lastName']);

/** Reads what was filled in. Throws 422 with a fault for each member that is missing or wrong. */
export function readFilled(form: Pick<Form, 'fields'>, given: ReadonlyMap<string, string>): Filled {
  const faults: ErrorDetail[] = [];
  const email = normalizeAddress((given.get('email') ?? '').trim());
  if (email === null) faults.push({ path: 'email', code: 'invalid_string', message: 'Not an e-mail address' });
  const own: Record<string, Value> = {};
  const data: Record<string, Value> = {};
  for (const field of form.fields) {
    const value = readField(field, given.get(field.key) ?? '', faults);
    if (value !== null) (OWN.has(field.key) ? own : data)[field.key] = value;
  }
  if (email === null || faults.length > 0) throw invalidRequest(faults);
  return { email, fields: { ...own, ...(Object.keys(data).length > 0 && { data }) } };
}

function readField({ key, label, required, type }: FormField, text: string, faults: ErrorDetail[]): Value | null {
  const value = (text === '' && type !== 'boolean') || (OWN.has(key) && text.length > MOST_OF_NAME) ? null : READERS[type](text);
  if (required && (value === null || value === false)) faults.push({ path: key, code: 'too_small', message: `${label} is required` });
  else if (value === null && text !== '') faults.push({ path: key, code: 'invalid_string', message: `${label} is not valid` });
  return value;
}
