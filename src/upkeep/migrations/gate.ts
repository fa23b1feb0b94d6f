import { workersBelow } from '../../sending/deliver';
import { PartModel } from './model';
import type { PartRow } from './model';

/** A process that runs, for people. */
export interface Running {
  readonly part: string;
  readonly host: string;
  readonly pid: number;
  /** Of before there were versions it is not known. */
  readonly release: string | null;
  readonly schemaVersion: number;
}

const aliveBelow = (version: number) => ({
  $expr: { $and: [{ $gt: ['$leaseUntil', '$$NOW'] }, { $lt: ['$schemaVersion', version] }] },
});

/**
 * Processes that run and know less than this version. Of those before there were versions, workers that deliver are seen by their leases; their api and smtp
 * leave no trace.
 */
export async function runningBelow(version: number): Promise<readonly Running[]> {
  const [parts, workers] = await Promise.all([
    PartModel.find(aliveBelow(version)).sort({ part: 1, _id: 1 }).lean<PartRow[]>(),
    workersBelow(version),
  ]);
  return [
    ...parts.map(({ part, host, pid, release, schemaVersion }) => ({ part, host, pid, release, schemaVersion })),
    ...workers
      .filter((worker) => worker.schemaVersion === undefined)
      .map(({ host, pid }) => ({ part: 'worker', host, pid, release: null, schemaVersion: 0 })),
  ];
}

/** Describes a running process for people. */
export const named = ({ part, host, pid, release, schemaVersion }: Running): string =>
  `${part} of release ${release ?? 'before versions'} (schema ${schemaVersion}, ${host}, process ${pid})`;
