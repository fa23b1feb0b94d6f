import type { SMTPServerDataStream } from 'smtp-server';
import { perCore } from '../../platform/core';
import { BUSY, TOO_LARGE } from './refusal';

const MIB = 1_048_576;
/** Limit for all messages that are being received or processed. */
const MOST_IN_MEMORY = 80 * MIB;
/** The last of it is for small mail, which is taken however slowly large mail comes. */
const FOR_SMALL_MAIL = 16 * MIB;
const SMALL = MIB / 4;
/** With more in memory a network has one message that is not small. */
const TIGHT = 40 * MIB;

export interface ReceivedBytes {
  readonly bytes: Buffer;
  /** To be called when the bytes are no longer needed. */
  readonly release: () => void;
}

/** The memory that a server takes mail into. */
export class MailMemory {
  private inMemory = 0;
  private readonly ofNetworks = new Map<string, number>();

  /** Returns whether so much mail is in memory that each network gets less. */
  get isTight(): boolean {
    return this.inMemory > TIGHT;
  }

  /**
   * Reads a message to its end; of one that is longer than `keep` the beginning is kept. Throws a refusal when it is larger than announced, or when too much
   * mail is in memory; rejects when the connection ends before the message does.
   */
  async receive(stream: SMTPServerDataStream, keep: number, network: string): Promise<ReceivedBytes> {
    const room = new Room(keep);
    let held = 0;
    let isBusy = false;
    const release = (): void => {
      this.count(network, -held);
      held = 0;
    };
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (isBusy || stream.sizeExceeded || held >= keep) continue;
        const wanted = Math.min(chunk.length, keep - held);
        isBusy = !this.hasRoom(network, held, wanted);
        if (isBusy) {
          room.clear();
          release();
          continue;
        }
        room.add(chunk.subarray(0, wanted));
        held += wanted;
        this.count(network, wanted);
      }
      if (stream.sizeExceeded) throw TOO_LARGE;
      if (isBusy) throw BUSY;
      return { bytes: room.bytes, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  private hasRoom(network: string, held: number, more: number): boolean {
    const all = this.inMemory + more;
    if (held + more <= SMALL) return all <= MOST_IN_MEMORY;
    const hasOthers = (this.ofNetworks.get(network) ?? 0) > held;
    return all <= (hasOthers ? TIGHT : MOST_IN_MEMORY - FOR_SMALL_MAIL);
  }

  private count(network: string, bytes: number): void {
    this.inMemory += bytes;
    const ofNetwork = (this.ofNetworks.get(network) ?? 0) + bytes;
    if (ofNetwork > 0) this.ofNetworks.set(network, ofNetwork);
    else this.ofNetworks.delete(network);
  }
}

const FIRST = 8_192;
const NONE = Buffer.alloc(0);

/**
 * The room for a message. A large one grows in place, as pieces that are put together at the end would take twice the memory. Making that room costs as much as
 * reading a small message, and what is in it is read several times slower, so small messages are copied as they grow.
 */
class Room {
  /** Its memory is not of the pool of buffers, as it may be handed to another thread. */
  private small = Buffer.allocUnsafeSlow(FIRST);
  private large: ArrayBuffer | null = null;
  private length = 0;

  constructor(private readonly most: number) {}

  get bytes(): Buffer {
    return this.large ? Buffer.from(this.large, 0, this.length) : this.small.subarray(0, this.length);
  }

  add(bytes: Buffer): void {
    const length = this.length + bytes.length;
    if (this.large) {
      this.large.resize(length);
    } else if (length > SMALL) {
      this.large = new ArrayBuffer(length, { maxByteLength: this.most });
      new Uint8Array(this.large).set(this.small.subarray(0, this.length));
      this.small = NONE;
    } else if (length > this.small.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.small.length));
      wider.set(this.small.subarray(0, this.length));
      this.small = wider;
    }
    (this.large ? new Uint8Array(this.large) : this.small).set(bytes, this.length);
    this.length = length;
  }

  clear(): void {
    this.large?.resize(0);
    this.small = NONE;
    this.length = 0;
  }
}

/** Returns the memory of this process, which its servers share. */
export const mailMemoryOf = perCore(() => new MailMemory());
