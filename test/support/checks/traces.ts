import type { Client } from '@temporalio/client';
import mongoose from 'mongoose';

/** Everything that a document holds as text, with the bytes of binary members. */
const textOf = (document: unknown): string =>
  JSON.stringify(document, (_key, value: unknown) => {
    if (value instanceof mongoose.mongo.Binary) return Buffer.from(value.buffer).toString('latin1');
    return Buffer.isBuffer(value) || isBufferJson(value)
      ? Buffer.from((value as { data: number[] }).data ?? value).toString('latin1')
      : value;
  });

const isBufferJson = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'Buffer';

/** Which documents of which collections hold one of the words, in any case. Goes through the whole database. */
export async function documentsWith(words: readonly string[]): Promise<readonly string[]> {
  const db = mongoose.connection.db;
  if (!db) throw new Error('Not connected');
  const found: string[] = [];
  for (const { name } of await db.listCollections().toArray()) {
    if (name.startsWith('system.')) continue;
    for await (const document of db.collection(name).find()) {
      const text = textOf(document).toLowerCase();
      found.push(
        ...words
          .filter((word) => text.includes(word.toLowerCase()))
          .map((word) => `${name} ${[document['name'], document._id].filter(Boolean).join(' ')}: ${word}`),
      );
    }
  }
  return found;
}

/** Which workflows' histories hold one of the words, in clear or in the payloads. */
export async function historiesWith(client: Client, words: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const text = JSON.stringify(history, (_key, value: unknown) =>
      value instanceof Uint8Array
        ? Buffer.from(value).toString('utf8')
        : isBufferJson(value)
          ? Buffer.from((value as { data: number[] }).data).toString('utf8')
          : value,
    ).toLowerCase();
    found.push(...words.filter((word) => text.includes(word.toLowerCase())).map((word) => `${workflowId}: ${word}`));
  }
  return found;
}
