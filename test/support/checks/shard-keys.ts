import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hearCommands } from './command-count';

const PLAN = path.join(__dirname, '../../../docs/design/sharding.md');

type Document = Readonly<Record<string, unknown>>;

/** The member by which the rows of a collection are spread over shards. */
interface ShardKey {
  readonly member: string;
  /** True if its hash decides: then a range of it is on all shards. */
  readonly hashed: boolean;
}

/** Reads the shard key of each collection out of the plan in docs/design/sharding.md. */
export function plannedShardKeys(): ReadonlyMap<string, ShardKey> {
  const [, section = ''] = /^## Sharding MongoDB$([\s\S]*?)^## /m.exec(readFileSync(PLAN, 'utf8')) ?? [];
  const keys = new Map<string, ShardKey>();
  for (const [, collections = '', member = '', order] of section.matchAll(/^\| (`[^|]+) \| `\{ (\w+): ("hashed"|1)/gm))
    for (const [, name = ''] of collections.matchAll(/`(\w+)`/g)) keys.set(name, { member, hashed: order !== '1' });
  return keys;
}

/** One filter, or one row, of a command to a collection that will be sharded. */
export interface Asked {
  /** Whether a cluster would know the shards to ask. */
  readonly isTargeted: boolean;
  readonly inTransaction: boolean;
  /** The condition or value for the key. */
  readonly key: unknown;
  /** Returns for example `emails find by dueAt, shard`. */
  shape(): string;
}

const has = (value: unknown): value is Document => typeof value === 'object' && value !== null;

const anyOf = (condition: Document, ...operators: readonly string[]): boolean => operators.some((operator) => operator in condition);

const isRange = (condition: Document): boolean => anyOf(condition, '$gt', '$gte') && anyOf(condition, '$lt', '$lte');

/** Whether a condition on the key says which values, or where it is not hashed, from which to which. */
function names(condition: unknown, { member, hashed }: ShardKey): boolean {
  if (!has(condition)) return condition !== undefined && condition !== null;
  if (!Object.keys(condition).some((name) => name.startsWith('$'))) return true;
  return anyOf(condition, '$in', '$eq') || (member === '_id' && !hashed && isRange(condition));
}

function isTargeted(filter: Document, key: ShardKey): boolean {
  const [all, any] = [filter['$and'], filter['$or']];
  return (
    names(filter[key.member], key) ||
    (Array.isArray(all) && all.some((part: Document) => isTargeted(part, key))) ||
    (Array.isArray(any) && any.length > 0 && any.every((part: Document) => isTargeted(part, key)))
  );
}

const KEYS = plannedShardKeys();

/** A list as a command has it, or as the driver has already begun to encode it. */
type List<T> = readonly T[] | { readonly documents: readonly T[] };
type Statements = List<{ readonly q: Document; readonly upsert?: boolean }>;

const listed = <T>(list: List<T>): readonly T[] => ('documents' in list ? list.documents : list);

type Filters = readonly (readonly [what: string, filter: Document])[];

/** The filters, or the rows, of each command, with what it does to what they find. */
const FILTERS: Readonly<Record<string, (command: Document) => Filters>> = {
  find: ({ filter }) => [['find', (filter ?? {}) as Document]],
  distinct: ({ query }) => [['distinct', (query ?? {}) as Document]],
  aggregate: ({ pipeline }) => [['aggregate', ((pipeline as readonly Document[])[0]?.['$match'] ?? {}) as Document]],
  findAndModify: ({ query, upsert }) => [[upsert === true ? 'upsert' : 'findAndModify', query as Document]],
  update: ({ updates }) => listed(updates as Statements).map(({ q, upsert }) => [upsert ? 'upsert' : 'update', q]),
  delete: ({ deletes }) => listed(deletes as Statements).map(({ q }) => ['delete', q]),
  insert: ({ documents }) => listed(documents as List<Document>).map((row) => ['insert', row]),
};

/** Returns the members that a filter requires; others may be present or not. */
const membersOf = (filter: Document): string[] =>
  Object.entries(filter).flatMap(([member, condition]) => {
    if (member === '$and') return (condition as readonly Document[]).flatMap(membersOf);
    return has(condition) && Object.keys(condition).join() === '$nin' ? [] : [member];
  });

/** Returns what a command asks of collections that will be sharded. */
export function askedBy(name: string, command: Document): readonly Asked[] {
  const collection = String(command[name]);
  const key = KEYS.get(collection);
  if (!key) return [];
  return (FILTERS[name]?.(command) ?? []).map(([what, filter]) => ({
    isTargeted: isTargeted(filter, key),
    inTransaction: command['autocommit'] === false,
    key: filter[key.member],
    shape: () => `${collection} ${what}${name === 'insert' ? '' : ` by ${membersOf(filter).sort().join(', ') || 'nothing'}`}`,
  }));
}

/** Resolves to what `work` asks of collections that will be sharded. */
export async function askedDuring(work: () => Promise<unknown>): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const stop = hearCommands((name, command) => void asked.push(...askedBy(name, command)));
  try {
    await work();
  } finally {
    stop();
  }
  return asked;
}
