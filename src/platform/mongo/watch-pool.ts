import type { mongo } from 'mongoose';
import { metrics } from '../metrics';

const watched = new WeakSet<mongo.MongoClient>();

interface Checked {
  readonly address: string;
  readonly connectionId: number | '<monitor>';
}
const connectionOf = ({ address, connectionId }: Checked): string => `${address} ${connectionId}`;

/**
 * Measures commands by the driver's events of its pool, which it makes in any case: a command has a connection from when it is sent until its answer is
 * read. Events of commands carry them and their answers, and made one cost a sixth more.
 */
export function watchPool(client: mongo.MongoClient): void {
  if (watched.has(client)) return;
  watched.add(client);
  const since = new Map<string, number>();
  client.on('connectionCheckedOut', (event) => {
    since.set(connectionOf(event), performance.now());
    metrics.mongoInUse.set(since.size);
    metrics.mongoCheckoutSeconds.observe(event.durationMS / 1_000);
  });
  client.on('connectionCheckedIn', (event) => {
    const connection = connectionOf(event);
    const began = since.get(connection);
    if (began === undefined) return;
    since.delete(connection);
    metrics.mongoInUse.set(since.size);
    metrics.mongoCommandSeconds.observe((performance.now() - began) / 1_000);
  });
}
