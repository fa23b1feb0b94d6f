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

const aliveBelow = (version: number) => ({
  $expr: { $and: [{ $gt: ['$leaseUntil', '$$NOW'] }, { $lt: ['$schemaVersion', version] }] },
});

/** Finds processes that run and know less than this version. */
export async function runningBelow(version: number): Promise<readonly Running[]> {
  const rows = await PartModel.find(aliveBelow(version)).sort({ part: 1, _id: 1 }).lean<PartRow[]>();
  return rows.map(({ part, host, pid, release, schemaVersion }) => ({ part, host, pid, release, schemaVersion }));
}

/** Describes a running process for people. */
export const named = ({ part, host, pid, release, schemaVersion }: Running): string =>
  `${part} of release ${release} (schema ${schemaVersion}, ${host}, process ${pid})`;
