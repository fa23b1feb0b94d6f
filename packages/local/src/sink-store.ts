import { open, readFile, readdir, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** Number of the newest messages that can be viewed. */
const NEWEST = 100;
/** A segment with this many messages is closed; closed segments that hold none of the newest are removed. */
const SEGMENT_MAILS = 100;

const MailHeader = z.object({
  id: z.number().int(),
  from: z.string(),
  to: z.string(),
  receivedAt: z.string(),
  size: z.number().int().nonnegative(),
});

/** One message to one recipient, as the envelope named it. */
export interface StoredMail {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  /** ISO 8601 instant. */
  readonly receivedAt: string;
}

interface Row extends StoredMail {
  readonly segment: number;
  readonly offset: number;
  readonly size: number;
}

interface Pending {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly raw: Buffer;
  readonly done: (error?: Error) => void;
}

const LINE_END = Buffer.from('\n');

/** Returns the rows of a segment; what a crash cut off at its end is left out. */
function readRows(segment: number, bytes: Buffer): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf(LINE_END, at);
    if (lineEnd < 0) break;
    const { size, ...mail } = MailHeader.parse(JSON.parse(bytes.subarray(at, lineEnd).toString('utf8')));
    const offset = lineEnd + 1;
    if (offset + size > bytes.length) break;
    rows.push({ ...mail, segment, offset, size });
    at = offset + size + 1;
  }
  return rows;
}

/**
 * The newest messages that the sink took. They lie in segment files: a line of JSON, the message as received, a line end, and so on.
 * A message is in its file before it is acknowledged; `kill -9` loses none.
 */
export class MailStore {
  private rows: Row[] = [];
  private pending: Pending[] = [];
  private writing: Promise<void> | null = null;
  private handle: FileHandle | null = null;
  private segment = 0;
  private position = 0;
  private inSegment = 0;
  private nextId = 1;

  private constructor(private readonly folder: string) {}

  static async open(folder: string): Promise<MailStore> {
    const store = new MailStore(folder);
    await store.load();
    return store;
  }

  /** Keeps a message, once for each recipient. Resolves when it is in its file. */
  add(from: string, recipients: readonly string[], raw: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending.push({ from, recipients, raw, done: (error) => (error ? reject(error) : resolve()) });
      this.writing ??= this.writeAll();
    });
  }

  /** Resolves to the newest messages, newest first. */
  newest(): readonly StoredMail[] {
    return this.rows.toReversed();
  }

  /** Resolves to a message as it was received, or null when it is none of the newest. */
  async raw(id: number): Promise<Buffer | null> {
    const row = this.rows.find((candidate) => candidate.id === id);
    if (!row) return null;
    const file = await open(this.fileOf(row.segment), 'r');
    try {
      const { buffer } = await file.read(Buffer.alloc(row.size), 0, row.size, row.offset);
      return buffer;
    } finally {
      await file.close();
    }
  }

  /** Resolves when all that was added is in its file. */
  async close(): Promise<void> {
    await this.writing;
    await this.handle?.close();
  }

  private fileOf(segment: number): string {
    return path.join(this.folder, `${segment}.mails`);
  }

  private async segments(): Promise<number[]> {
    const names = await readdir(this.folder);
    return names.flatMap((name) => (/^\d+\.mails$/.test(name) ? [Number.parseInt(name, 10)] : [])).sort((a, b) => a - b);
  }

  private async load(): Promise<void> {
    const segments = await this.segments();
    for (const segment of segments) this.rows.push(...readRows(segment, await readFile(this.fileOf(segment))));
    this.rows = this.rows.slice(-NEWEST);
    this.nextId = (this.rows.at(-1)?.id ?? 0) + 1;
    this.segment = segments.at(-1) ?? 0;
    this.inSegment = SEGMENT_MAILS;
  }

  /** Writes together what came in while the last write was under way. */
  private async writeAll(): Promise<void> {
    while (this.pending.length > 0) {
      const batch = this.pending;
      this.pending = [];
      try {
        await this.write(batch);
        for (const { done } of batch) done();
      } catch (error) {
        for (const { done } of batch) done(error as Error);
      }
    }
    this.writing = null;
  }

  private async write(batch: readonly Pending[]): Promise<void> {
    if (this.inSegment >= SEGMENT_MAILS || !this.handle) await this.nextSegment();
    const receivedAt = new Date().toISOString();
    const mails = batch.flatMap(({ from, recipients, raw }) => recipients.map((to) => ({ from, to, raw }))).slice(-NEWEST);
    const rows: Row[] = [];
    const chunks: Buffer[] = [];
    let position = this.position;
    for (const { from, to, raw } of mails) {
      const mail = { id: this.nextId++, from, to, receivedAt };
      const header = Buffer.from(`${JSON.stringify({ ...mail, size: raw.length })}\n`);
      rows.push({ ...mail, segment: this.segment, offset: position + header.length, size: raw.length });
      chunks.push(header, raw, LINE_END);
      position += header.length + raw.length + 1;
    }
    await this.handle?.writev(chunks, this.position);
    this.position = position;
    this.inSegment += rows.length;
    this.rows = [...this.rows, ...rows].slice(-NEWEST);
  }

  private async nextSegment(): Promise<void> {
    await this.handle?.close();
    this.segment += 1;
    this.handle = await open(this.fileOf(this.segment), 'w', 0o600);
    this.position = 0;
    this.inSegment = 0;
    const oldest = this.rows[0]?.segment ?? this.segment;
    for (const segment of await this.segments()) if (segment < oldest) await rm(this.fileOf(segment), { force: true });
  }
}
