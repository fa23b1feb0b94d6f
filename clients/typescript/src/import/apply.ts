import { ValidationError } from '../errors.ts';
import type { Lettermill } from '../operations.ts';
import type { Archive, Person } from './archive.ts';
import { pause } from '../pause.ts';
import { csvOf } from './csv.ts';

/** The result of an import. */
export interface Outcome {
  readonly contacts: { readonly created: number; readonly updated: number; readonly failed: number };
  readonly topics: number;
  readonly segments: number;
  readonly suppressions: number;
  readonly templates: number;
  /** Everything that could not be imported, and why. */
  readonly problems: readonly string[];
}

interface How {
  readonly from: string | undefined;
  readonly signal: AbortSignal;
}

const POLL_MS = 500;
const MEMBERS_AT_ONCE = 1_000;
const CALLS_AT_ONCE = 8;
const LONGEST_NAME = 200;

const FIXED = ['email', 'firstName', 'lastName', 'locale', 'timezone', 'subscribed'] as const;

const cellOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Returns people as a CSV file for the API. A person who opted out says so; nobody else says anything, so that nobody is subscribed again. */
function contactsCsv(people: readonly Person[]): string {
  const topics = [...new Set(people.flatMap((person) => Object.keys(person.topics)))];
  const fields = [...new Set(people.flatMap((person) => Object.keys(person.data)))];
  const rows = people.map(({ email, firstName = '', lastName = '', locale = '', timezone = '', optedOut, topics: joined, data }) => [
    ...[email, firstName, lastName, locale, timezone, optedOut ? 'no' : ''],
    ...topics.map((key) => (joined[key] === undefined ? '' : String(joined[key]))),
    ...fields.map((field) => cellOf(data[field])),
  ]);
  return csvOf([[...FIXED, ...topics.map((key) => `topic.${key}`), ...fields.map((field) => `data.${field}`)], ...rows]);
}

/** Resolves to whether a call succeeded; a refusal of what it was given is a problem, and no reason to stop. */
async function unlessInvalid(what: string, problems: string[], work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    problems.push(`${what}: ${error.details[0]?.message ?? error.message}`);
    return false;
  }
}

async function importPeople(
  client: Lettermill,
  people: readonly Person[],
  { signal }: How,
  problems: string[],
): Promise<Outcome['contacts']> {
  if (people.length === 0) return { created: 0, updated: 0, failed: 0 };
  const { importId } = await client.importContacts(contactsCsv(people), {}, { signal });
  for (;;) {
    const { status, error, errors, created, updated, failed } = await client.getImport(importId, { signal });
    if (status === 'completed' || status === 'failed') {
      if (status === 'failed') problems.push(`the import of contacts failed: ${error ?? ''}`);
      problems.push(...errors.map(({ email, message }) => `${email ?? 'a row'}: ${message}`));
      return { created, updated, failed };
    }
    await pause(POLL_MS, signal);
  }
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}

async function createTopics(client: Lettermill, { topics }: Archive, { signal }: How): Promise<number> {
  const known = new Set((await client.listTopics({}, { signal }).toArray()).map(({ key }) => key));
  const missing = [...topics].filter(([key]) => !known.has(key));
  // "out": only those whom the export names are in it.
  for (const [key, name] of missing)
    await client.createTopic({ key, name: name.slice(0, LONGEST_NAME), defaultSubscription: 'out' }, { signal });
  return missing.length;
}

/** Returns the addresses of each segment by its name, which is cut to what the API takes. */
function membersOf(people: readonly Person[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const { email, segments } of people) {
    for (const segment of segments) {
      const name = segment.slice(0, LONGEST_NAME);
      const known = members.get(name);
      if (known) known.push(email);
      else members.set(name, [email]);
    }
  }
  return members;
}

async function fillSegments(client: Lettermill, people: readonly Person[], { signal }: How): Promise<number> {
  const members = membersOf(people);
  if (members.size === 0) return 0;
  const known = new Map(
    (await client.listSegments({}, { signal }).toArray()).map(({ name, type, segmentId }) => [`${type} ${name}`, segmentId]),
  );
  for (const [name, emails] of members) {
    const segmentId = known.get(`static ${name}`) ?? (await client.createSegment({ name, type: 'static' }, { signal })).segmentId;
    for (let at = 0; at < emails.length; at += MEMBERS_AT_ONCE)
      await client.addSegmentMembers(segmentId, { emails: emails.slice(at, at + MEMBERS_AT_ONCE) }, { signal });
  }
  return members.size;
}

async function createTemplates(client: Lettermill, archive: Archive, how: How, problems: string[]): Promise<number> {
  if (archive.templates.length === 0) return 0;
  if (how.from === undefined) {
    problems.push(`${archive.templates.length} templates need --from, the address that they come from`);
    return 0;
  }
  const { signal, from: fromEmail } = how;
  const known = new Set((await client.listTemplates({}, { signal }).toArray()).map(({ name }) => name));
  let created = 0;
  for (const { name, subject, body } of archive.templates) {
    if (known.has(name.slice(0, LONGEST_NAME))) continue;
    const template = { name: name.slice(0, LONGEST_NAME), subject, body, fromEmail, type: 'marketing' as const };
    if (await unlessInvalid(`template "${name}"`, problems, () => client.createTemplate(template, { signal }))) created++;
  }
  return created;
}

/** Brings an archive into a project. Repeating it changes nothing; opt-outs and blocked addresses come first, so that a broken run leaves nobody reachable who must not be. */
export async function applyArchive(client: Lettermill, archive: Archive, how: How): Promise<Outcome> {
  const problems: string[] = [];
  const people = [...archive.people.values()];
  await eachOf([...archive.suppressions], ([email, reason]) =>
    unlessInvalid(email, problems, () => client.createSuppression({ email, reason }, { signal: how.signal, maxRetries: 20 })),
  );
  return {
    suppressions: archive.suppressions.size,
    topics: await createTopics(client, archive, how),
    contacts: await importPeople(client, people, how, problems),
    segments: await fillSegments(client, people, how),
    templates: await createTemplates(client, archive, how, problems),
    problems,
  };
}
