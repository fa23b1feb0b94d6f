import type { Archive, ExportFile, Person } from './archive.ts';
import { normal, rowsOf } from './csv.ts';
import type { CsvRow } from './csv.ts';
import { converted } from './syntax.ts';

type Rules = Parameters<typeof converted>[1];
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Adds custom fields: every cell that is no member of a contact becomes one, less what only the other service could use. */
export function customFields(row: CsvRow, person: Person, known: ReadonlySet<string>): void {
  row.headers.forEach((header, column) => {
    const value = row.at(column);
    if (value !== '' && header !== '' && !known.has(normal(header))) person.data[header] = value;
  });
}

export const set = (...names: readonly string[]): ReadonlySet<string> => new Set(names.map(normal));

/** Sets the names that are known. */
export function name(person: Person, firstName: string | undefined, lastName: string | undefined): void {
  if (firstName) person.firstName = firstName;
  if (lastName) person.lastName = lastName;
}

const tagsOf = (cell: string | undefined): readonly string[] => {
  const list = (cell ?? '').replaceAll(/^\[|\]$/g, '').split(',');
  return list.map((tag) => tag.trim().replaceAll(/^["']|["']$/g, '')).filter((tag) => tag !== '');
};

/** Puts a person into a segment for each tag of a cell. */
export function tag(person: Person, cell: string | undefined): void {
  for (const label of tagsOf(cell)) person.segments.add(`Tag: ${label}`);
}

/** Adds a template, unless its syntax has no counterpart. */
export function template(archive: Archive, rules: Rules, label: string, subject: string, body: string): void {
  const [ours, title] = [converted(body, rules), converted(subject || label, rules)];
  if (ours === null || title === null) archive.leaveOut(`template "${label}" uses syntax that has no counterpart`);
  else if (ours.trim() !== '') archive.templates.push({ name: label, subject: title, body: ours });
}

/** Returns the rows of a JSON text: a list, or one within `data`, `results`, `result` or `templates`, as the APIs answer. */
export function listIn(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.filter(isObject);
  if (!isObject(value)) return [];
  for (const member of ['data', 'results', 'result', 'templates', 'contacts'])
    if (value[member] !== undefined) return listIn(value[member]);
  return [];
}

/** Returns the content of a JSON file. Throws a `SyntaxError`. */
export function jsonOf({ name: file, text }: ExportFile): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new SyntaxError(`${file} is not JSON`);
  }
}

export const baseOf = (file: string): string => file.split('/').pop()?.toLowerCase() ?? '';
export const labelOf = (file: string): string => (file.split('/').pop() ?? '').replace(/\.\w+$/, '');

/** Returns the attributes of a person as custom fields; what is nested as JSON. */
export function attributes(person: Person, value: unknown): void {
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (member !== null && member !== '') person.data[key] = typeof member === 'object' ? JSON.stringify(member) : member;
  }
}

/** Goes through the rows of a CSV file that have an address in one of these columns. */
export function peopleIn(
  archive: Archive,
  file: ExportFile,
  address: readonly string[],
  each: (person: Person, row: CsvRow) => void,
): void {
  for (const row of rowsOf(file.text)) {
    const person = archive.person(row.get(...address));
    if (person) each(person, row);
  }
}

/** Goes through the entries of a JSON file: people have an address, templates the member that holds their HTML. */
export function entriesIn(
  archive: Archive,
  file: ExportFile,
  rules: Rules,
  html: string,
  each: (person: Person, entry: Json) => void,
): void {
  for (const entry of listIn(jsonOf(file))) {
    if (html in entry) template(archive, rules, textIn(entry['name']), textIn(entry['subject']), textIn(entry[html]));
    const person = 'email' in entry ? archive.person(textIn(entry['email'])) : null;
    if (person) each(person, entry);
  }
}
