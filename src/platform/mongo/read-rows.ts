import mongoose from 'mongoose';
import type { Model } from './model';
import { bounded } from './connect';
import { inOneAnswer } from './whole';

const { MongoNetworkError } = mongoose.mongo;

interface Wanted {
  readonly filter: object;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly hint?: string;
  /** Upper limit for the rows that exist or that are needed. */
  readonly limit: number;
}

interface Answer {
  readonly cursor: { readonly id: number | object; readonly firstBatch: readonly Buffer[] };
}

/**
 * Finds rows and resolves to them as the database sent them (BSON), for a `RowReader`. They come in one answer of which nothing but the frame is decoded; a
 * cursor of the driver takes each row apart first, also where it is to hand over bytes.
 */
export async function findBytes<T>(model: Model<T>, wanted: Wanted): Promise<readonly Buffer[]> {
  return (await inOne(model, wanted)) ?? byCursor(model, wanted);
}

/** Resolves to null when the rows do not fit into one answer, or when a connection broke: a cursor reads again. */
async function inOne<T>({ db: { db }, collection }: Model<T>, { filter, ...how }: Wanted): Promise<readonly Buffer[] | null> {
  if (!db) throw new mongoose.Error('Not connected');
  const { collectionName } = collection;
  const command = {
    find: collectionName,
    filter,
    ...how,
    ...inOneAnswer(how.limit),
    ...bounded(undefined, false),
    readConcern: { level: 'majority' },
  };
  try {
    const { cursor } = (await db.command(command, { fieldsAsRaw: { firstBatch: true } })) as unknown as Answer;
    if (Number(cursor.id) === 0) return cursor.firstBatch;
    await db.command({ killCursors: collectionName, cursors: [cursor.id] });
    return null;
  } catch (error) {
    if (error instanceof MongoNetworkError) return null;
    throw error;
  }
}

async function byCursor<T>({ collection }: Model<T>, { filter, ...how }: Wanted): Promise<readonly Buffer[]> {
  const rows = collection.find(filter, { ...how, raw: true, ...inOneAnswer(how.limit) });
  return (await rows.toArray()) as unknown as Buffer[];
}

const { BSON } = mongoose.mongo;

const DOUBLE = 0x01;
const STRING = 0x02;
const DOCUMENT = 0x03;
const ARRAY = 0x04;
const BOOLEAN = 0x08;
const INSTANT = 0x09;
const NULL = 0x0a;
const INT32 = 0x10;
const LENGTH_BYTES = 4;
const TWO_TO_32 = 2 ** 32;
const NOT_PLAIN: unique symbol = Symbol('not plain');

/** The bytes that values of a type take; of those that say it themselves, 0. */
const FIXED_BYTES: Readonly<Record<number, number>> = { [DOUBLE]: 8, [BOOLEAN]: 1, [INSTANT]: 8, [NULL]: 0, [INT32]: 4 };

/** A member of the rows that were read before: most rows have the same ones in the same order. */
interface Known {
  readonly name: string;
  readonly bytes: Buffer;
  readonly isWanted: boolean;
}

type Row = Record<string, unknown>;

/** Reads some members of many rows from what the database sent, as the driver would read them, at a third of what that costs. */
export class RowReader<T extends object> {
  private readonly known: Known[] = [];
  private bytes: Buffer = Buffer.alloc(0);
  private at = 0;

  constructor(private readonly wanted: ReadonlySet<keyof T & string>) {}

  read(bytes: Buffer): T {
    this.bytes = bytes;
    this.at = LENGTH_BYTES;
    const row: Row = {};
    for (let index = 0; bytes[this.at] !== 0; index++) {
      const type = bytes[this.at++] ?? 0;
      const { name, isWanted } = this.nameOf(index);
      const value = isWanted ? this.value(type) : this.pass(type);
      // Decodes the whole row: a value of another type is rare and need not be fast.
      if (value === NOT_PLAIN) return BSON.deserialize(bytes) as T;
      if (isWanted) row[name] = value;
    }
    return row as T;
  }

  private nameOf(index: number): Known {
    const known = this.known[index];
    if (known !== undefined && this.isNext(known.bytes)) {
      this.at += known.bytes.length;
      return known;
    }
    const from = this.at;
    const name = this.text();
    return (this.known[index] = {
      name,
      bytes: Buffer.from(this.bytes.subarray(from, this.at)),
      isWanted: (this.wanted as ReadonlySet<string>).has(name),
    });
  }

  private isNext(name: Buffer): boolean {
    for (let index = 0; index < name.length; index++) if (this.bytes[this.at + index] !== name[index]) return false;
    return true;
  }

  /** Reads a text up to a NUL, and past it. */
  private text(): string {
    const from = this.at;
    this.at = this.bytes.indexOf(0, from) + 1;
    return this.bytes.toString('utf8', from, this.at - 1);
  }

  private pass(type: number): unknown {
    const fixed = FIXED_BYTES[type];
    if (fixed !== undefined) this.at += fixed;
    else if (type === STRING) this.at += LENGTH_BYTES + this.bytes.readInt32LE(this.at);
    else if (type === DOCUMENT || type === ARRAY) this.at += this.bytes.readInt32LE(this.at);
    else return NOT_PLAIN;
    return undefined;
  }

  private value(type: number): unknown {
    if (type === STRING) return this.string();
    const from = this.at;
    if (this.pass(type) === NOT_PLAIN) return NOT_PLAIN;
    switch (type) {
      case BOOLEAN:
        return this.bytes[from] === 1;
      case NULL:
        return null;
      case INT32:
        return this.bytes.readInt32LE(from);
      case DOUBLE:
        return this.bytes.readDoubleLE(from);
      case INSTANT:
        return new Date(this.bytes.readUInt32LE(from) + TWO_TO_32 * this.bytes.readInt32LE(from + LENGTH_BYTES));
      case ARRAY:
        return Object.values(BSON.deserialize(this.bytes.subarray(from, this.at)));
      default:
        return this.document(from);
    }
  }

  private string(): string {
    const from = this.at + LENGTH_BYTES;
    this.at = from + this.bytes.readInt32LE(this.at);
    return this.bytes.toString('utf8', from, this.at - 1);
  }

  /** Reads a document: one that holds plain values here, any other one as the driver does. */
  private document(from: number): unknown {
    const end = this.at;
    this.at = from + LENGTH_BYTES;
    const document: Row = {};
    while (this.bytes[this.at] !== 0) {
      const type = this.bytes[this.at++] ?? 0;
      const name = this.text();
      const isPlain = name !== '__proto__' && type !== DOCUMENT && type !== ARRAY;
      const value = isPlain ? this.value(type) : NOT_PLAIN;
      if (value === NOT_PLAIN) {
        this.at = end;
        return BSON.deserialize(this.bytes.subarray(from, end));
      }
      document[name] = value;
    }
    this.at = end;
    return document;
  }
}
