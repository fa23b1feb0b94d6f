import { parentPort } from 'node:worker_threads';
import { takeApart } from './parse';

/** A thread that takes messages apart, one after another: answers each with what it is, or with null when it cannot be read. */
parentPort?.on('message', ({ bytes, keepBytes }: { readonly bytes: Uint8Array; readonly keepBytes: number }) => {
  void takeApart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), keepBytes).then(
    (mail) => parentPort?.postMessage(mail),
    () => parentPort?.postMessage(null),
  );
});
