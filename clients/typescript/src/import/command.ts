import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Lettermill } from '../operations.ts';
import { clientFor } from '../cli/client.ts';
import { EXIT, UsageError } from '../cli/failure.ts';
import { commonArguments } from '../cli/arguments.ts';
import { asJson, safe } from '../cli/print.ts';
import type { Terminal } from '../cli/terminal.ts';
import { applyArchive } from './apply.ts';
import type { Archive, ExportFile } from './archive.ts';
import { numbersOf } from './numbers.ts';
import { SOURCES, archiveOf } from './sources.ts';
import { unpacked } from './zip.ts';

async function filesIn(place: string): Promise<readonly ExportFile[]> {
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    (cause: unknown) => {
      throw new UsageError(`Cannot read ${place}`, { cause });
    },
  );
  if (place.endsWith('.zip')) return unpacked(await readFile(place));
  if (!isFolder) return [{ name: path.basename(place), text: await readFile(place, 'utf8') }];
  const names = (await readdir(place, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('.'),
  );
  const files = names.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  return Promise.all(files.map(async (file) => ({ name: path.relative(place, file), text: await readFile(file, 'utf8') })));
}

const list = (names: readonly string[]): string =>
  names.length === 0 ? '0' : `${names.length}: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' …' : ''}`;

function numbersShown(archive: Archive): string {
  const { contacts, optedOut, suppressions, topics, segments, customFields, templates, leftOut } = numbersOf(archive);
  const blocked = Object.entries(suppressions).map(([reason, count]) => `${count} ${reason}`);
  return safe(
    [
      `contacts       ${contacts}, ${optedOut} of them opted out`,
      `suppressions   ${blocked.join(', ') || '0'}`,
      `topics         ${list(topics)}`,
      `segments       ${list(segments)}`,
      `custom fields  ${list(customFields)}`,
      `templates      ${list(templates)}`,
      ...leftOut.map(({ count, reason }) => `left out       ${count}: ${reason}`),
      '',
    ].join('\n'),
  );
}

/** Runs `import <service> <file or folder>`: shows what an export holds and brings it into the project. Resolves to an exit code. */
export async function importCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const isDry = args.includes('--dry-run');
  const { positionals, own, json, profile } = commonArguments(
    args.filter((arg) => arg !== '--dry-run'),
    ['from'],
  );
  const [source = '', place, ...more] = positionals;
  if (!Object.hasOwn(SOURCES, source)) throw new UsageError(`import needs one of: ${Object.keys(SOURCES).join(', ')}`);
  if (place === undefined || more.length > 0) throw new UsageError(`import ${source} needs <file or folder>`);
  const archive = archiveOf(source, await filesIn(place));
  if (!isDry) return apply(await clientFor(profile, terminal), archive, own['from'], json, terminal);
  terminal.out(json ? asJson(numbersOf(archive)) : numbersShown(archive));
  return EXIT.done;
}

async function apply(client: Lettermill, archive: Archive, from: string | undefined, json: boolean, terminal: Terminal): Promise<number> {
  if (!json) terminal.error(numbersShown(archive));
  const outcome = await applyArchive(client, archive, { from, signal: terminal.signal });
  const { contacts, topics, segments, suppressions, templates, problems } = outcome;
  const shown = [
    `${contacts.created} contacts created, ${contacts.updated} updated, ${contacts.failed} failed`,
    `${suppressions} addresses blocked, ${topics} topics created, ${segments} segments filled, ${templates} templates created`,
    ...problems.map((problem) => `not brought: ${problem}`),
  ];
  terminal.out(json ? asJson({ ...numbersOf(archive), outcome }) : safe(`${shown.join('\n')}\n`));
  return contacts.failed > 0 || problems.length > 0 ? EXIT.failed : EXIT.done;
}
