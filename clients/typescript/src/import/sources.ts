import { Archive, keyOf, namesOf } from './archive.ts';
import type { ExportFile, Person, SuppressionReason } from './archive.ts';
import { rowsOf } from './csv.ts';
import {
  attributes,
  baseOf,
  customFields,
  entriesIn,
  isObject,
  jsonOf,
  labelOf,
  listIn,
  name,
  peopleIn,
  set,
  tag,
  template,
  textIn,
} from './reading.ts';
import type { Json } from './reading.ts';
import { LISTMONK, MAILCHIMP, RESEND, SENDGRID } from './syntax.ts';

const OF_MAILCHIMP = set(
  'Email Address',
  'First Name',
  'Last Name',
  'FNAME',
  'LNAME',
  'MEMBER_RATING',
  'OPTIN_TIME',
  'OPTIN_IP',
  'CONFIRM_TIME',
  'CONFIRM_IP',
  'LATITUDE',
  'LONGITUDE',
  'GMTOFF',
  'DSTOFF',
  'TIMEZONE',
  'CC',
  'REGION',
  'LAST_CHANGED',
  'LEID',
  'EUID',
  'NOTES',
  'TAGS',
  'UNSUB_TIME',
  'UNSUB_CAMPAIGN_TITLE',
  'UNSUB_CAMPAIGN_ID',
  'UNSUB_REASON',
  'UNSUB_REASON_OTHER',
  'CLEAN_TIME',
  'CLEAN_CAMPAIGN_TITLE',
  'CLEAN_CAMPAIGN_ID',
);

// Mailchimp writes `America/New_york`.
const zoneOf = (text: string): string =>
  text.replaceAll(/(^|[/_])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());

function mailchimp(archive: Archive, file: ExportFile): boolean {
  const base = baseOf(file.name);
  if (/\.html?$/.test(base)) {
    template(archive, MAILCHIMP, labelOf(file.name), '', file.text);
    return true;
  }
  if (!base.endsWith('.csv')) return false;
  // "Non-subscribed" are customers who never agreed to marketing mail.
  const isOut = /unsubscribed|non[-_]?subscribed/.test(base);
  peopleIn(archive, file, ['Email Address'], (person, row) => {
    if (base.includes('cleaned')) archive.suppress(person.email, 'hard_bounce');
    if (isOut) person.optedOut = true;
    name(person, row.get('First Name', 'FNAME'), row.get('Last Name', 'LNAME'));
    const timezone = row.get('TIMEZONE');
    if (timezone) person.timezone = zoneOf(timezone);
    tag(person, row.get('TAGS'));
    customFields(row, person, OF_MAILCHIMP);
  });
  return true;
}

function listmonkPerson(archive: Archive, person: Person, whole: string, status: string): void {
  const { firstName, lastName } = namesOf(whole);
  name(person, firstName, lastName);
  if (status === 'blocklisted') person.optedOut = true;
  if (status === 'disabled') archive.suppress(person.email, 'manual');
}

function listmonkLists(archive: Archive, person: Person, lists: unknown): void {
  for (const list of listIn(lists)) {
    const [label, status] = [textIn(list['name']), textIn(list['subscription_status'])];
    const isPending = status === 'unconfirmed' && list['optin'] === 'double';
    if (isPending) archive.leaveOut('subscription to a list that was never confirmed');
    else if (label !== '') person.topics[archive.topic(label)] = status !== 'unsubscribed';
  }
}

function listmonk(archive: Archive, file: ExportFile): boolean {
  if (file.name.endsWith('.csv')) {
    peopleIn(archive, file, ['email'], (person, row) => {
      listmonkPerson(archive, person, row.get('name') ?? '', row.get('status') ?? '');
      const text = row.get('attributes', 'attribs');
      if (text) attributes(person, jsonOf({ name: `${file.name}: the attributes of ${person.email}`, text }));
    });
    return true;
  }
  if (!file.name.endsWith('.json')) return false;
  entriesIn(archive, file, LISTMONK, 'body', (person, entry) => {
    listmonkPerson(archive, person, textIn(entry['name']), textIn(entry['status']));
    attributes(person, entry['attribs']);
    listmonkLists(archive, person, entry['lists']);
  });
  return true;
}

const OF_RESEND = set(
  'id',
  'email',
  'first_name',
  'last_name',
  'unsubscribed',
  'created_at',
  'updated_at',
  'segments',
  'topics',
  'audience_id',
);

function resend(archive: Archive, file: ExportFile): boolean {
  if (file.name.endsWith('.csv')) {
    peopleIn(archive, file, ['email'], (person, row) => {
      name(person, row.get('first_name'), row.get('last_name'));
      if (/^(true|1|yes)$/i.test(row.get('unsubscribed') ?? '')) person.optedOut = true;
      tag(person, row.get('segments'));
      customFields(row, person, OF_RESEND);
    });
    return true;
  }
  if (!file.name.endsWith('.json')) return false;
  entriesIn(archive, file, RESEND, 'html', (person, entry) => {
    name(person, textIn(entry['first_name']), textIn(entry['last_name']));
    if (entry['unsubscribed'] === true) person.optedOut = true;
    attributes(person, entry['properties']);
  });
  return true;
}

const OF_SENDGRID = set('EMAIL', 'FIRST_NAME', 'LAST_NAME', 'CREATED_AT', 'UPDATED_AT', 'CONTACT_ID', 'ALTERNATE_EMAILS');

/** SendGrid exports each kind of suppression as a file of its own, named by its kind. A block is a refusal that passes. */
const SENDGRID_LISTS: readonly (readonly [pattern: RegExp, reason: SuppressionReason | null])[] = [
  [/bounce|invalid/, 'hard_bounce'],
  [/spam/, 'complaint'],
  [/unsubscribe/, 'unsubscribe'],
  [/block/, null],
];

function sendgridTemplates(archive: Archive, file: ExportFile): void {
  for (const entry of listIn(jsonOf(file))) {
    const versions = (Array.isArray(entry['versions']) ? entry['versions'] : []).filter(isObject);
    const version: Json | undefined = versions.find(({ active }) => active === 1) ?? versions[0];
    if (version) template(archive, SENDGRID, textIn(entry['name']), textIn(version['subject']), textIn(version['html_content']));
  }
}

function sendgridList(archive: Archive, file: ExportFile, reason: SuppressionReason | null): void {
  for (const row of rowsOf(file.text)) {
    if (reason === null) archive.leaveOut('block: a refusal that passes, not one of the address');
    else archive.suppress(row.get('email'), reason);
  }
}

function sendgrid(archive: Archive, file: ExportFile): boolean {
  const base = baseOf(file.name);
  if (base.endsWith('.json')) sendgridTemplates(archive, file);
  if (!base.endsWith('.csv')) return base.endsWith('.json');
  const list = SENDGRID_LISTS.find(([pattern]) => pattern.test(base));
  if (list) sendgridList(archive, file, list[1]);
  else
    peopleIn(archive, file, ['EMAIL'], (person, row) => {
      name(person, row.get('FIRST_NAME'), row.get('LAST_NAME'));
      customFields(row, person, OF_SENDGRID);
    });
  return true;
}

const OF_BUTTONDOWN = set(
  'id',
  'email',
  'email_address',
  'type',
  'subscriber_type',
  'tags',
  'notes',
  'metadata',
  'creation_date',
  'created',
  'last_open_date',
  'last_click_date',
  'source',
  'secondary_id',
  'avatar_url',
  'ip_address',
  'referrer_url',
  'unsubscription_date',
  'unsubscription_reason',
);

const BUTTONDOWN_BLOCKED: Readonly<Record<string, SuppressionReason>> = {
  complained: 'complaint',
  undeliverable: 'hard_bounce',
  bounced: 'hard_bounce',
  blocked: 'manual',
  disabled: 'manual',
};

const BUTTONDOWN_OUT = new Set(['unsubscribed', 'removed']);
const BUTTONDOWN_PENDING = new Set(['unactivated', 'unpaid']);

function buttondown(archive: Archive, file: ExportFile): boolean {
  if (!file.name.endsWith('.csv')) return false;
  for (const row of rowsOf(file.text)) {
    const type = (row.get('type', 'subscriber_type') ?? 'regular').toLowerCase();
    if (BUTTONDOWN_PENDING.has(type)) archive.leaveOut('subscriber who never confirmed');
    const person = BUTTONDOWN_PENDING.has(type) ? null : archive.person(row.get('email_address', 'email'));
    if (!person) continue;
    const blocked = BUTTONDOWN_BLOCKED[type];
    if (blocked) archive.suppress(person.email, blocked);
    if (BUTTONDOWN_OUT.has(type)) person.optedOut = true;
    tag(person, row.get('tags'));
    const text = row.get('metadata');
    if (text) attributes(person, jsonOf({ name: `${file.name}: the metadata of ${person.email}`, text }));
    customFields(row, person, OF_BUTTONDOWN);
  }
  return true;
}

/** Readers of exports by service; each says whether a file is one that it knows. */
export const SOURCES: Readonly<Record<string, (archive: Archive, file: ExportFile) => boolean>> = {
  mailchimp,
  listmonk,
  resend,
  sendgrid,
  buttondown,
};

/** Returns what the files of an export hold. Throws a `SyntaxError` if one cannot be read as what its name says. */
export function archiveOf(source: string, files: readonly ExportFile[]): Archive {
  const archive = new Archive();
  for (const file of files) if (!SOURCES[source]?.(archive, file)) archive.leaveOut(`file ${file.name}: not of a known kind`);
  for (const person of archive.people.values()) {
    const fields = Object.entries(person.data).map(([field, value]) => [keyOf(field), value] as const);
    for (const field of Object.keys(person.data)) delete person.data[field];
    for (const [key, value] of fields) person.data[key] = value;
  }
  return archive;
}
