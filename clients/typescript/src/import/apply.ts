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

/** Progress of an import. */
export interface Progress {
  readonly step: 'suppressions' | 'topics' | 'contacts' | 'segments' | 'templates';
  readonly done: number;
  /** Null while the rows are counted. */
  readonly total: number | null;
  /** The job that imports the contacts. */
  readonly importId?: string;
}

interface How {
  /** The address that templates come from; without it, they are left out. */
  readonly from: string | undefined;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}

const POLL_MS = 500;
/** Time for the upload of the contacts: a large file over a slow line. */
const UPLOAD_MS = 3_600_000;
/** An import makes many calls, and waits for the rate limit as often as it has to. */
const RETRIES = 20;
const MEMBERS_AT_ONCE = 1_000;
const SUPPRESSED_AT_ONCE = 1_000;
const CALLS_AT_ONCE = 8;
const LONGEST_NAME = 200;

const FIXED = ['email', 'firstName', 'lastName', 'locale', 'timezone', 'subscribed'] as const;

const cellOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Returns people as a CSV file for the API. A person who opted out says so; nobody else says anything, so that nobody is subscribed again. */
function contactsCsv(people: readonly Person[]): string {
  const topics = [...new Set(people.flatMap((person) => Object.keys(person.topics)))];
  const fields = [...new Set(people.flatMap((person) => Object.keys(person.data)))];
  const rows = people.map(({ email, firstName = '', lastName = '', locale = '', timezone = '', optedOut, topics: joined, data }) => [
    email,
    firstName,
    lastName,
    locale,
    timezone,
    optedOut ? 'no' : '',
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

const patiently = ({ signal }: How) => ({ maxRetries: RETRIES, ...(signal && { signal }) });

async function importPeople(client: Lettermill, people: readonly Person[], how: How, problems: string[]): Promise<Outcome['contacts']> {
  if (people.length === 0) return { created: 0, updated: 0, failed: 0 };
  const { importId } = await client.importContacts(contactsCsv(people), {}, { ...patiently(how), timeoutMs: UPLOAD_MS });
  for (;;) {
    const job = await client.getImport(importId, patiently(how));
    const { status, error, errors, created, updated, failed } = job;
    how.progress?.({ step: 'contacts', done: job.processed, total: job.totalRows, importId });
    if (status === 'completed' || status === 'failed') {
      if (status === 'failed') problems.push(`the import of contacts failed: ${error ?? ''}`);
      problems.push(...errors.map(({ email, message }) => `${email ?? 'a row'}: ${message}`));
      return { created, updated, failed };
    }
    await pause(POLL_MS, how.signal);
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

async function suppress(client: Lettermill, { suppressions }: Archive, how: How, problems: string[]): Promise<number> {
  let done = 0;
  const report = (count: number): void => how.progress?.({ step: 'suppressions', done: (done += count), total: suppressions.size });
  for (const reason of new Set(suppressions.values())) {
    const emails = [...suppressions].filter(([, each]) => each === reason).map(([email]) => email);
    for (let at = 0; at < emails.length; at += SUPPRESSED_AT_ONCE) {
      const together = emails.slice(at, at + SUPPRESSED_AT_ONCE);
      // An address that is no address refuses the call as a whole: each is tried alone then.
      if (await unlessInvalid('', [], () => client.changeContacts({ action: 'suppress', emails: together, reason }, patiently(how))))
        report(together.length);
      else
        await eachOf(together, async (email) => {
          await unlessInvalid(email, problems, () => client.createSuppression({ email, reason }, patiently(how)));
          report(1);
        });
    }
  }
  return suppressions.size;
}

async function createTopics(client: Lettermill, { topics }: Archive, how: How): Promise<number> {
  const known = new Set((await client.listTopics({}, patiently(how)).toArray()).map(({ key }) => key));
  const missing = [...topics].filter(([key]) => !known.has(key));
  for (const [done, [key, name]] of missing.entries()) {
    how.progress?.({ step: 'topics', done, total: missing.length });
    // "out": only those whom the export names are in it.
    await client.createTopic({ key, name: name.slice(0, LONGEST_NAME), defaultSubscription: 'out' }, patiently(how));
  }
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

async function fillSegments(client: Lettermill, people: readonly Person[], how: How): Promise<number> {
  const members = membersOf(people);
  if (members.size === 0) return 0;
  const listed = await client.listSegments({}, patiently(how)).toArray();
  const known = new Map(listed.map(({ name, type, segmentId }) => [`${type} ${name}`, segmentId]));
  let done = 0;
  for (const [name, emails] of members) {
    how.progress?.({ step: 'segments', done: done++, total: members.size });
    const segmentId = known.get(`static ${name}`) ?? (await client.createSegment({ name, type: 'static' }, patiently(how))).segmentId;
    for (let at = 0; at < emails.length; at += MEMBERS_AT_ONCE)
      await client.addSegmentMembers(segmentId, { emails: emails.slice(at, at + MEMBERS_AT_ONCE) }, patiently(how));
  }
  return members.size;
}

async function createTemplates(client: Lettermill, { templates }: Archive, how: How, problems: string[]): Promise<number> {
  const { from: fromEmail } = how;
  if (templates.length === 0) return 0;
  if (fromEmail === undefined) {
    problems.push(`templates (${templates.length}): "from" is missing, the address that they come from`);
    return 0;
  }
  const known = new Set((await client.listTemplates({}, patiently(how)).toArray()).map(({ name }) => name));
  let created = 0;
  for (const [done, { name, subject, body }] of templates.entries()) {
    how.progress?.({ step: 'templates', done, total: templates.length });
    if (known.has(name.slice(0, LONGEST_NAME))) continue;
    const template = { name: name.slice(0, LONGEST_NAME), subject, body, fromEmail, type: 'marketing' as const };
    if (await unlessInvalid(`template "${name}"`, problems, () => client.createTemplate(template, patiently(how)))) created++;
  }
  return created;
}

/** Brings an archive into a project. Repeating it changes nothing; opt-outs and blocked addresses come first, so that a broken run leaves nobody reachable who must not be. */
export async function applyArchive(client: Lettermill, archive: Archive, how: How): Promise<Outcome> {
  const problems: string[] = [];
  const people = [...archive.people.values()];
  return {
    suppressions: await suppress(client, archive, how, problems),
    topics: await createTopics(client, archive, how),
    contacts: await importPeople(client, people, how, problems),
    segments: await fillSegments(client, people, how),
    templates: await createTemplates(client, archive, how, problems),
    problems,
  };
}
