import { parentPort } from 'node:worker_threads';
import { examine } from './examine';
import type { Examined, Wanted } from './examine';

/** A thread that examines messages, one after another; answers each with what it is, or with null when it cannot be read. */
parentPort?.on('message', ({ bytes, wanted }: { readonly bytes: Uint8Array; readonly wanted: Wanted }) => {
  let examined: Examined | null = null;
  try {
    examined = examine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), wanted);
  } catch {
    // The sender gets the refusal.
  }
  const kept = examined?.mail.parts.flatMap((part) => (part.bytes ? [part.bytes.buffer as ArrayBuffer] : [])) ?? [];
  parentPort?.postMessage(examined, kept);
});
