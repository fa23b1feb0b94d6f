import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;

const STRING = 0x02;
const EMBEDDED = 0x03;
const INSTANT = 0x09;
const LENGTH_BYTES = 4;
const INSTANT_BYTES = 8;
const TWO_TO_32 = 2 ** 32;
/** In UTF-8 a unit of UTF-16 takes three bytes at most. */
const BYTES_A_UNIT = 3;
const FRAME_BYTES = 16;

/** Members that many rows have in common, as they stand in the row. */
export type SharedMembers = Uint8Array;

/** Encodes members that many rows have in common; what is undefined is left out. */
export function sharedMembers(members: object): SharedMembers {
  const bytes = BSON.serialize(members, { ignoreUndefined: true });
  return bytes.subarray(LENGTH_BYTES, bytes.length - 1);
}

/** Rows for the database as they go over the wire (BSON), written one after another into one buffer: what they have in common is encoded once for all of them. */
export class RowBytes {
  /** Where each row ends. */
  readonly ends: number[] = [];
  private at = 0;
  private begun: number[] = [];

  constructor(private room: Buffer = Buffer.allocUnsafe(1 << 18)) {}

  get count(): number {
    return this.ends.length;
  }

  /** From the row at `from` to the one before `to`. */
  rows(from: number, to: number): Buffer {
    return this.room.subarray(this.ends[from - 1] ?? 0, this.ends[to - 1] ?? 0);
  }

  /** Begins a row, or a member that is a document. */
  begin(name?: string): this {
    if (name !== undefined) this.name(EMBEDDED, name);
    this.reserve(FRAME_BYTES);
    this.begun.push(this.at);
    this.at += LENGTH_BYTES;
    return this;
  }

  /** Ends what was begun last. */
  end(): this {
    this.reserve(FRAME_BYTES);
    this.room[this.at++] = 0;
    const from = this.begun.pop() ?? 0;
    this.room.writeInt32LE(this.at - from, from);
    if (this.begun.length === 0) this.ends.push(this.at);
    return this;
  }

  text(name: string, text: string): this {
    this.name(STRING, name);
    this.reserve(text.length * BYTES_A_UNIT + FRAME_BYTES);
    const from = this.at;
    this.at += LENGTH_BYTES;
    this.at += this.room.write(text, this.at);
    this.room[this.at++] = 0;
    this.room.writeInt32LE(this.at - from - LENGTH_BYTES, from);
    return this;
  }

  instant(name: string, ms: number): this {
    this.name(INSTANT, name);
    const high = Math.floor(ms / TWO_TO_32);
    this.room.writeUInt32LE(ms - high * TWO_TO_32, this.at);
    this.room.writeInt32LE(high, this.at + LENGTH_BYTES);
    this.at += INSTANT_BYTES;
    return this;
  }

  shared(members: SharedMembers): this {
    this.reserve(members.length);
    this.room.set(members, this.at);
    this.at += members.length;
    return this;
  }

  /** Names of members are ASCII. */
  private name(type: number, name: string): void {
    this.reserve(name.length + FRAME_BYTES);
    this.room[this.at++] = type;
    for (let index = 0; index < name.length; index++) this.room[this.at++] = name.charCodeAt(index);
    this.room[this.at++] = 0;
  }

  private reserve(more: number): void {
    if (this.at + more <= this.room.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.at + more, 2 * this.room.length));
    this.room.copy(larger, 0, 0, this.at);
    this.room = larger;
  }
}
