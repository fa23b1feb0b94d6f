import { decodeField } from '../../../message/reader';
import { TAG_TEXT } from '../../../records/emails';
import type { EmailType } from '../../../records/emails';
import type { ParsedMail } from '../mail';
import { badControl } from './refusals';

/** The wishes in the headers `X-Lettermill-*` of a message. */
export interface Controls {
  readonly type: EmailType | null;
  readonly topicId: string | null;
  readonly tags: readonly string[] | null;
  readonly sendAt: Date | null;
  readonly templateId: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
}

/** The beginning of the names, in lower case. */
export const PREFIX = 'x-lettermill-';

const NAMES = ['Type', 'Topic', 'Tag', 'Send-At', 'Template', 'Variables', 'Idempotency-Key'] as const;
type Name = (typeof NAMES)[number];

const ID = /^[a-z]{2,8}_[0-9a-z]{1,64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;
const KEY = /^[\x20-\x7e]{1,255}$/;
const MOST_TAGS = 10;
const YEAR_MS = 365 * 86_400_000;

/** Reads the control headers of a message. Throws a refusal for one that is unknown, wrong, or there twice. */
export function controlsOf(mail: Pick<ParsedMail, 'fields'>): Controls {
  const given = valuesOf(mail);
  const one = <T>(name: Exclude<Name, 'Tag'>, read: (value: string) => T | null, why: string): T | null => {
    const [value, another] = given.get(name) ?? [];
    if (value === undefined) return null;
    const found = another === undefined ? read(value) : null;
    if (found === null) throw badControl(`X-Lettermill-${name}`, another === undefined ? why : 'Give it once');
    return found;
  };
  const id = (value: string): string | null => (ID.test(value) ? value : null);
  const controls: Controls = {
    type: one('Type', typeOf, 'Must be transactional or marketing'),
    topicId: one('Topic', id, 'Must be the id of a topic'),
    tags: tagsOf(given.get('Tag')),
    sendAt: one('Send-At', instantOf, 'Must be an ISO 8601 time with its offset, at most 365 days ahead'),
    templateId: one('Template', id, 'Must be the id of a template'),
    variables: one('Variables', variablesOf, 'Must be a JSON object') ?? {},
    idempotencyKey: one('Idempotency-Key', (value) => (KEY.test(value) ? value : null), 'Must be 1 to 255 printable ASCII characters'),
  };
  if (controls.templateId === null && given.has('Variables')) throw badControl('X-Lettermill-Variables', 'Needs X-Lettermill-Template');
  return controls;
}

function valuesOf({ fields }: Pick<ParsedMail, 'fields'>): ReadonlyMap<Name, readonly string[]> {
  const given = new Map<Name, string[]>();
  for (const [field, value] of fields) {
    if (!field.startsWith(PREFIX)) continue;
    const name = NAMES.find((each) => PREFIX + each.toLowerCase() === field);
    if (!name) throw badControl(field.slice(0, 80), 'Unknown header');
    const known = given.get(name) ?? [];
    given.set(name, [...known, decodeField(value).trim()]);
  }
  return given;
}

const typeOf = (value: string): EmailType | null => (value === 'transactional' || value === 'marketing' ? value : null);

/** Returns a time; one that has passed means at once, as a program may come again with a message that it could not hand in. */
function instantOf(value: string): Date | null {
  const at = INSTANT.test(value) ? new Date(value) : null;
  if (at === null || Number.isNaN(at.getTime()) || at.getTime() > Date.now() + YEAR_MS) return null;
  return at;
}

function variablesOf(value: string): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Reads `name:value`, with commas between several. */
function tagsOf(values: readonly string[] | undefined): readonly string[] | null {
  if (!values) return null;
  const tags = values.flatMap((value) => value.split(',')).map((tag) => tag.trim());
  const names = new Set(tags.map((tag) => tag.slice(0, tag.indexOf(':'))));
  if (tags.length > MOST_TAGS || names.size < tags.length || !tags.every((tag) => TAG_TEXT.test(tag))) {
    throw badControl('X-Lettermill-Tag', `Must be name:value, at most ${MOST_TAGS}, each name once`);
  }
  return tags;
}
