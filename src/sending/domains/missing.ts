import type { Core } from '../../platform/core';
import type { RecordKey } from '../../rules/domains/records';
import { checkRecords } from './check';
import { isDevelopment } from './development';
import { DomainModel } from './model';
import type { Domain } from './model';
import { dnsRecordsOf } from './row';

/** The answer of DNS about some records of a sending domain. */
export interface Missing {
  /** Records that are not as they should be: their type and host. */
  readonly missing: readonly string[];
  /** Whether DNS answered for all of them. */
  readonly known: boolean;
}

/** Looks up some records of a verified domain. Those of a development domain, and of a domain that the project does not have, count as published. */
export async function missingRecords(
  core: Pick<Core, 'config' | 'dns'>,
  projectId: string,
  { domain, keys, limitMs }: { readonly domain: string; readonly keys: readonly RecordKey[]; readonly limitMs: number },
): Promise<Missing> {
  const row = keys.length > 0 ? await DomainModel.findOne({ projectId, domain, status: 'verified' }).lean<Domain>() : null;
  if (!row || isDevelopment(core, row)) return { missing: [], known: true };
  const { verdicts } = await checkRecords(core, row, limitMs);
  const wanted = dnsRecordsOf(core, row).filter(({ key }) => keys.includes(key));
  return {
    missing: wanted.filter(({ key }) => verdicts[key] === 'wrong').map(({ type, host }) => `${type} ${host}`),
    known: wanted.every(({ key }) => verdicts[key] !== 'unknown'),
  };
}
