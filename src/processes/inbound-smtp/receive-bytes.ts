import type { SMTPServerDataStream } from 'smtp-server';
import { BUSY, TOO_LARGE } from './refusal';

/** Of all messages that are being received or worked on, what is beyond their first MiB: small mail is taken however slowly large mail comes. */
const MOST_IN_MEMORY = 128 * 1_048_576;
const UNCOUNTED = 1_048_576;

const counted = (bytes: number): number => Math.max(0, bytes - UNCOUNTED);

export interface ReceivedBytes {
  readonly bytes: Buffer;
  /** To be called when the bytes are no longer needed. */
  readonly release: () => void;
}

/** The memory that a server takes mail into. */
export class MailMemory {
  private inMemory = 0;

  /**
   * Reads a message to its end; of one that is longer than `keep` the beginning is kept. Throws a refusal when it is larger than announced, or when too much
   * mail is in memory; rejects when the connection ends before the message does.
   */
  async receive(stream: SMTPServerDataStream, keep: number): Promise<ReceivedBytes> {
    const chunks: Buffer[] = [];
    let held = 0;
    let isBusy = false;
    const release = (): void => {
      this.inMemory -= counted(held);
      held = 0;
    };
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (isBusy || stream.sizeExceeded || held >= keep) continue;
        const wanted = Math.min(chunk.length, keep - held);
        const more = counted(held + wanted) - counted(held);
        isBusy = this.inMemory + more > MOST_IN_MEMORY;
        if (isBusy) {
          chunks.length = 0;
          release();
          continue;
        }
        // A copy: a slice would hold the whole buffer that it was read into.
        chunks.push(Buffer.from(chunk.subarray(0, wanted)));
        held += wanted;
        this.inMemory += more;
      }
      if (stream.sizeExceeded) throw TOO_LARGE;
      if (isBusy) throw BUSY;
      return { bytes: Buffer.concat(chunks), release };
    } catch (error) {
      release();
      throw error;
    }
  }
}
