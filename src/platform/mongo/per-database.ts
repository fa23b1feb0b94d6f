import mongoose from 'mongoose';

/**
 * Declares what a process has one of for the database that it is connected to: a cache of its rows, a queue of writes to it. It is made when it is first asked
 * for, belongs to the connection's client, and goes with it.
 */
export function perDatabase<Own extends object>(make: () => Own): () => Own {
  const made = new WeakMap<object, Own>();
  return () => {
    // Before the first connection there is no client, though the driver's types promise one.
    const owner = (mongoose.connection.getClient() as object | null) ?? mongoose.connection;
    let own = made.get(owner);
    if (own === undefined) made.set(owner, (own = make()));
    return own;
  };
}
