import mongoose from 'mongoose';
import { requestScope } from '../core';
import { perDatabase } from './per-database';

interface Options {
  readonly maxTimeMS?: number;
  readonly signal?: AbortSignal;
  readonly session?: { inTransaction(): boolean };
}

/** A request that writes continues after its client left, so its queries get a short time limit instead of being aborted. */
const LEAST_MS = 5_000;

// In a transaction the server's limit alone holds: a cut connection would leave it open.
const mayBeCut = ({ signal, session }: Options): boolean => signal === undefined && !session?.inTransaction();

/** The limit of queries that are made outside of requests' scopes. */
const others = perDatabase((): { limitMs: number | null } => ({ limitMs: null }));

/**
 * Limits the queries of this connection that are made outside of requests' scopes, in a process where all queries serve requests. `null`: they have no limit.
 */
export function boundOthers(limitMs: number | null): void {
  others().limitMs = limitMs;
}

/** Returns what ends a query with its request. */
export function bounded(options: Options | undefined, takesSignal: boolean): Options | undefined {
  const scope = requestScope();
  if (!scope) return boundAlone(options, others().limitMs);
  const { deadline, signal } = scope;
  const leftMs = Math.max(signal ? 1 : LEAST_MS, Math.ceil(deadline - performance.now()));
  const maxTimeMS = Math.min(options?.maxTimeMS ?? leftMs, leftMs);
  return { ...options, maxTimeMS, ...(takesSignal && signal && mayBeCut(options ?? {}) && { signal }) };
}

const boundAlone = (options: Options | undefined, limitMs: number | null): Options | undefined =>
  limitMs === null ? options : { ...options, maxTimeMS: options?.maxTimeMS ?? limitMs };

type Query = (this: unknown, what: unknown, options?: Options) => unknown;
type Distinct = (this: unknown, key: unknown, filter?: unknown, options?: Options) => unknown;

const bound = new WeakSet<object>();

/**
 * Gives every query that a request makes a `maxTimeMS`, and queries of read-only requests an abort signal, at the one place that all of them pass:
 * the driver's `find`, `aggregate` and `distinct`. (`findOne` and `countDocuments` are made of the first two; mongoose calls these.)
 */
export function boundQueries(): void {
  const driver = mongoose.mongo.Collection.prototype as unknown as { find: Query; aggregate: Query; distinct: Distinct };
  if (bound.has(driver)) return;
  bound.add(driver);
  const { find, aggregate, distinct } = driver;
  driver.find = function (filter, options) {
    return find.call(this, filter, bounded(options, true));
  };
  driver.aggregate = function (pipeline, options) {
    return aggregate.call(this, pipeline, bounded(options, true));
  };
  driver.distinct = function (key, filter = {}, options?) {
    return distinct.call(this, key, filter, bounded(options, false) ?? {});
  };
}
