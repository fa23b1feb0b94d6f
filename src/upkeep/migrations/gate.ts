import { IS_PRESENT } from '../../platform/leases';
import { PartModel } from './model';
import type { PartRow } from './model';

/** A process that runs, for people. */
export interface Running {
  readonly part: string;
  readonly host: string;
  readonly pid: number;
  readonly release: string;
  readonly schemaVersion: number;
}

const aliveBelow = (version: number) => ({ $expr: { $and: [IS_PRESENT, { $lt: ['$schemaVersion', version] }] } });

/** Finds processes that run and know less than this version. */
export async function runningBelow(version: number): Promise<readonly Running[]> {
  const rows = await PartModel.find(aliveBelow(version)).sort({ part: 1, _id: 1 }).lean<PartRow[]>();
  return rows.map(({ part, host, pid, release, schemaVersion }) => ({ part, host, pid, release, schemaVersion }));
}

/** Describes a running process for people. */
export const named = ({ part, host, pid, release, schemaVersion }: Running): string =>
  `${part} of release ${release} (schema ${schemaVersion}, ${host}, process ${pid})`;

/** A process that runs, or that ran within the last day and was lost: one that stops in order is forgotten. */
export interface KnownPart extends Pick<PartRow, 'part' | 'queues'> {
  /** For how long nothing has been heard of it beyond its lease, in milliseconds; not above zero while it runs. */
  readonly silentMs: number;
}

/** Finds the processes that run, and those that were lost. */
export const knownParts = (withinMs: number): Promise<readonly KnownPart[]> =>
  PartModel.aggregate<KnownPart>([{ $project: { _id: 0, part: 1, queues: 1, silentMs: { $subtract: ['$$NOW', '$leaseUntil'] } } }]).option({
    maxTimeMS: withinMs,
  });
