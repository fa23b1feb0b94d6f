import type { Model } from './model';
import { yielder } from '../async';
import { newest, rowsOf } from './whole';

interface Row {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
}

type Named = Pick<Row, '_id' | 'name'>;

interface Wanted<T, K extends keyof T> {
  readonly filter: Readonly<Record<string, unknown>>;
  /** Members of a row that are read to decide whether it is wanted. */
  readonly members: readonly (K & string)[];
  readonly isWanted: (row: Pick<T, K>) => boolean;
}

const ALL = { limit: Number.POSITIVE_INFINITY, after: null } as const;

/**
 * Finds rows by more than a query can express, newest first. Rows may be megabytes each and slow to check: about 1 MiB of them is read at a
 * time, one is decoded at a time, and the event loop runs between two.
 */
export async function findNamed<T extends Row, K extends keyof T>(
  model: Model<T>,
  { filter, members, isWanted }: Wanted<T, K>,
): Promise<readonly Named[]> {
  const projection = Object.fromEntries([...members, 'name', 'createdAt'].map((member) => [member, 1 as const]));
  const yieldWhenDue = yielder();
  const found: Named[] = [];
  for await (const { row } of rowsOf<T>(model, { ...newest<T>(filter, ALL), projection })) {
    if (isWanted(row)) found.push({ _id: row._id, name: row.name });
    await yieldWhenDue();
  }
  return found;
}
