import { hash } from 'node:crypto';

const FIRST_CAPACITY = 1 << 14;
/** 20 bytes an entry: 84 MB, for a file of any size. */
const MAX_CAPACITY = 1 << 22;
const WORDS = 4;

/**
 * The last row of each address, by the first 16 bytes of the address's SHA-256: no two addresses that share them can be found. Open addressing in
 * two flat arrays; a free slot has row 0.
 */
class LastRows {
  private capacity = FIRST_CAPACITY;
  private keys = new Uint32Array(FIRST_CAPACITY * WORDS);
  private rows = new Uint32Array(FIRST_CAPACITY);
  private size = 0;

  constructor(private readonly maxCapacity: number) {}

  get full(): boolean {
    return this.size > this.maxCapacity * 0.7;
  }

  /** Notes the row, and returns the one that had the address before, or 0. */
  put(key: Uint32Array, row: number): number {
    if (this.size > this.capacity * 0.7 && this.capacity < this.maxCapacity) this.grow();
    const slot = this.slotOf(key, 0);
    const before = this.rows[slot] as number;
    if (before === 0) {
      this.keys.set(key, slot * WORDS);
      this.size++;
    }
    this.rows[slot] = row;
    return before;
  }

  private slotOf(key: Uint32Array, from: number): number {
    const mask = this.capacity - 1;
    let slot = (key[from] as number) & mask;
    while (this.rows[slot] !== 0 && !this.holds(slot, key, from)) slot = (slot + 1) & mask;
    return slot;
  }

  private holds(slot: number, key: Uint32Array, from: number): boolean {
    for (let word = 0; word < WORDS; word++) if (this.keys[slot * WORDS + word] !== key[from + word]) return false;
    return true;
  }

  private grow(): void {
    const { keys, rows } = this;
    this.capacity *= 2;
    this.keys = new Uint32Array(this.capacity * WORDS);
    this.rows = new Uint32Array(this.capacity);
    for (let old = 0; old < rows.length; old++) {
      if (rows[old] === 0) continue;
      const slot = this.slotOf(keys, old * WORDS);
      this.keys.set(keys.subarray(old * WORDS, (old + 1) * WORDS), slot * WORDS);
      this.rows[slot] = rows[old] as number;
    }
  }
}

/** A set of row numbers: a bit for each row of the file. */
export class RowSet {
  private constructor(
    private bits: Uint8Array,
    private count: number,
  ) {}

  static empty = (): RowSet => new RowSet(new Uint8Array(1024), 0);

  static from = (bytes: Uint8Array): RowSet => new RowSet(bytes, bytes.length);

  add(row: number): void {
    const at = row >>> 3;
    if (at >= this.bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    this.bits[at] = (this.bits[at] as number) | (1 << (row & 7));
    this.count = Math.max(this.count, at + 1);
  }

  has = (row: number): boolean => ((this.bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0;

  /** Returns the bytes up to the last one that is set; null when none is. */
  bytes = (): Uint8Array | null => (this.count === 0 ? null : this.bits.subarray(0, this.count));
}

function keyOf(email: string): Uint32Array {
  const digest = hash('sha256', email, 'buffer');
  return Uint32Array.of(digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), digest.readUInt32LE(12));
}

interface Seen {
  readonly row: number;
  readonly email: string;
}

/**
 * Resolves to the rows whose address comes again further down. `scan` reads the file from its beginning and reports each usable row. When the addresses are more than
 * the table holds, the file is read several times, each time for a share of the addresses: memory does not grow with the file.
 */
export async function supersededRows(
  scan: (see: (seen: Seen) => boolean) => Promise<void>,
  maxCapacity: number = MAX_CAPACITY,
): Promise<RowSet> {
  const superseded = RowSet.empty();
  for (let shares = 1, share = 0; share < shares;) {
    const table = new LastRows(maxCapacity);
    await scan(({ row, email }) => {
      const key = keyOf(email);
      if ((key[WORDS - 1] as number) % shares !== share) return true;
      const before = table.put(key, row);
      if (before !== 0) superseded.add(before);
      return !table.full;
    });
    if (table.full) {
      shares *= 2;
      share = 0;
    } else {
      share++;
    }
  }
  return superseded;
}
