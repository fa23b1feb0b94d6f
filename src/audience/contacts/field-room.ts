import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import { lockReferences } from '../../records/events';
import type { ChangedContact } from './change';
import { FieldCountModel } from './field-model';
import { readCounts } from './fields';

type Data = Readonly<Record<string, unknown>> | null;
type Change = Pick<ChangedContact, 'before'> & { readonly after: { readonly data: Data } };

/** Returns the fields that a contact has by a change and had not before. */
const gained = ({ before, after }: Change): readonly string[] =>
  Object.keys(after.data ?? {}).filter((field) => !Object.hasOwn(before?.data ?? {}, field));

const HELD = { free: { $ne: true } } as const;

const rowId = (projectId: string, field: string): string => `${projectId}/${field}`;

export const fieldsFull = (most: number): AppError => new AppError('limit_exceeded', `A project has at most ${most} contact fields`);

/**
 * The number of fields that a project may still add, in the transaction that adds them. A contact with a new field conflicts with all
 * others that bring one, so that fields are counted exactly; and it leaves a row for the field, which tells later users without counting
 * that it exists.
 */
export class FieldRoom {
  private readonly brought = new Set<string>();

  private constructor(
    private readonly projectId: string,
    private readonly known: ReadonlySet<string>,
    private room: number,
  ) {}

  static async open(session: ClientSession, projectId: string, most: number, changes: readonly Change[]): Promise<FieldRoom> {
    const fields = [...new Set(changes.flatMap(gained))];
    const ids = fields.map((field) => rowId(projectId, field));
    const found = { _id: { $in: ids }, ...HELD };
    const rows = ids.length > 0 ? await FieldCountModel.find(found, { field: 1 }, { session }).lean() : [];
    const stored = new Set(rows.map(({ field }) => field));
    if (stored.size === fields.length) return new FieldRoom(projectId, stored, 0);
    await lockReferences(session, projectId);
    const counts = await readCounts(session, projectId);
    const known = new Set(counts.filter(({ by }) => by > 0).map(({ field }) => field));
    return new FieldRoom(projectId, known, most - known.size);
  }

  /** Returns whether what a change brings finds room; if so, it has it. */
  take(change: Change): boolean {
    const fields = gained(change).filter((field) => !this.known.has(field) && !this.brought.has(field));
    if (fields.length === 0) return true;
    if (fields.length > this.room) return false;
    this.room -= fields.length;
    for (const field of fields) this.brought.add(field);
    return true;
  }

  /** Leaves a row for each field that was brought, and marks the row of a field that no contact has any more: its room is counted as free, so it has to ask for room again. */
  async close(session: ClientSession): Promise<void> {
    if (this.brought.size === 0) return;
    const { projectId } = this;
    const stored = [...this.known, ...this.brought];
    const writes = [...this.brought].map((field) => ({
      updateOne: {
        filter: { _id: rowId(projectId, field) },
        update: { $setOnInsert: { projectId, field }, $unset: { free: '' } },
        upsert: true,
      },
    }));
    await FieldCountModel.collection.bulkWrite(writes, { session, ordered: false });
    await FieldCountModel.updateMany({ projectId, field: { $nin: stored }, ...HELD }, { $set: { free: true } }, { session });
  }
}

/** Throws `limit_exceeded` when one contact's change finds no room for its fields. */
export async function requireFieldRoom(session: ClientSession, projectId: string, most: number, change: Change): Promise<void> {
  const room = await FieldRoom.open(session, projectId, most, [change]);
  if (!room.take(change)) throw fieldsFull(most);
  await room.close(session);
}
