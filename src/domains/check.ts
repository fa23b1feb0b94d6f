import type { Core } from '../context';
import { conflict } from '../errors';
import { inTransaction } from '../mongo/transaction';
import { want } from '../outbox/service';
import { bumpConfigVersion } from '../projects/service';
import type { Verdict } from '../rules/domains/answers';
import { judgeCname, judgeDkim, judgeDmarc, judgeMx, judgeText } from '../rules/domains/judge';
import { bounceStatus } from '../rules/domains/records';
import type { DnsRecord } from '../rules/domains/records';
import { judgeSpf } from '../rules/domains/spf';
import { afterCheck, begun, reopened, waitAfter } from '../rules/domains/status';
import type { CheckTimes, Standing, Verdicts } from '../rules/domains/status';
import { isDevelopment, isDuplicate } from './development';
import { lookAgainIntent } from './intents';
import { DomainModel } from './model';
import type { Domain } from './model';
import { dnsRecordsOf, standingFields, standingOf, wholeRow } from './row';

type CheckCore = Pick<Core, 'config' | 'dns'>;

export const checkTimes = ({ config }: Pick<Core, 'config'>): CheckTimes => ({
  windowMs: config.DOMAIN_CHECK_WINDOW_HOURS * 3_600_000,
  intervalMs: config.DOMAIN_CHECK_INTERVAL_SECONDS * 1_000,
});

/** What DNS says of each record of a domain. What is not known within `limitMs` is unknown. */
export async function lookUp(core: CheckCore, row: Domain, limitMs: number): Promise<Verdicts> {
  const records = dnsRecordsOf(core, row);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve('unknown'), limitMs);
  });
  try {
    const verdicts = await Promise.all(
      records.map(async (record) => [record.key, await Promise.race([judge(core, row, record), late])] as const),
    );
    return Object.fromEntries(verdicts) as Verdicts;
  } finally {
    clearTimeout(timer);
  }
}

async function judge({ config, dns }: CheckCore, row: Domain, { key, host, value }: DnsRecord): Promise<Verdict> {
  switch (key) {
    case 'ownership':
      return judgeText(await dns.txt(host), value);
    case 'dkim':
      return judgeDkim(await dns.txt(host), row.dkimPublicKey);
    case 'spf':
    case 'bounceSpf':
      return judgeSpf(await dns.txt(host), config.SPF_INCLUDE, (name) => dns.txt(name));
    case 'dmarc':
      return judgeDmarc(await dns.txt(host));
    case 'tracking':
      return judgeCname(await dns.cname(host), config.TRACKING_HOST);
    case 'bounceMx':
      return judgeMx(await dns.mx(host), config.MX_HOST);
  }
}

/** Whether another project has this domain. */
export const isTaken = async ({ _id, domain }: Pick<Domain, '_id' | 'domain'>): Promise<boolean> =>
  (await DomainModel.exists({ domain, status: 'verified', _id: { $ne: _id } })) !== null;

export const takenError = () => conflict('This domain is verified in another project');

export interface Found {
  readonly verdicts: Verdicts;
  readonly now: Date;
  /** Somebody asked for it: a window that is over begins anew, and a domain that another project has is a `conflict`. */
  readonly byRequest: boolean;
}

/**
 * Stores what a check found, and tells the project's senders when that changes them; null when the domain is gone. Of checks that race, each builds on the
 * one before. Throws `conflict` for a request when another project has the domain.
 */
export async function settle(core: CheckCore, projectId: string, id: string, found: Found): Promise<Domain | null> {
  for (;;) {
    const row = await DomainModel.findOne({ _id: id, projectId }).lean<Domain>();
    if (!row) return null;
    const taken = row.status !== 'verified' && (await isTaken(row));
    if (taken && found.byRequest) throw takenError();
    const next = nextOf(core, wholeRow(row), found, taken);
    if (await stored(wholeRow(row), next, found)) return next;
  }
}

function nextOf(core: CheckCore, row: Domain, { verdicts, now, byRequest }: Found, taken: boolean): Domain {
  const times = checkTimes(core);
  const before = standingOf(row);
  const at = now.getTime();
  const open = byRequest ? reopened(before, times, at) : begun(before, at);
  const check = { verdicts, now: at, isDevelopment: isDevelopment(core, row), isTaken: taken };
  const after: Standing = afterCheck(open, check, times);
  const since = verifiedAt(row, after, now);
  const waitMs = waitAfter(after, times, at, since?.getTime() ?? null);
  const nextCheckAt = waitMs === null ? null : new Date(at + waitMs);
  return {
    ...row,
    ...standingFields(after),
    verifiedAt: since,
    lastCheckedAt: now,
    nextCheckAt: byRequest ? (open === before ? row.nextCheckAt : now) : nextCheckAt,
    revision: row.revision + 1,
  };
}

function verifiedAt(row: Domain, { status }: Standing, now: Date): Date | null {
  if (status !== 'verified') return null;
  return row.status === 'verified' ? row.verifiedAt : now;
}

/** What mail goes by. */
const sending = ({ status, records }: Domain): string =>
  status === 'verified' ? [records.tracking === 'verified', bounceStatus(records) === 'verified'].join() : 'none';

/** Whether nobody else stored something since the row was read. */
async function stored(row: Domain, next: Domain, { byRequest }: Found): Promise<boolean> {
  const { _id, projectId, ...fields } = next;
  // Rows of before there were checks have no revision.
  const asRead = { _id, projectId, revision: row.revision === 0 ? { $in: [0, null] } : row.revision };
  try {
    return await inTransaction(async (session) => {
      const { matchedCount } = await DomainModel.updateOne(asRead as never, { $set: fields }, { session }).catch(refuseTaken);
      if (matchedCount === 0) return false;
      if (sending(row) !== sending(next)) await bumpConfigVersion(projectId, session);
      // The workflow of a domain that failed has ended.
      if (byRequest && row.status === 'failed') await want(session, [lookAgainIntent(row)]);
      return true;
    });
  } catch (error) {
    if (!(error instanceof Taken)) throw error;
    if (byRequest) throw takenError();
    return false;
  }
}

/** Another project's domain was verified a moment ago. */
class Taken extends Error {}

function refuseTaken(error: unknown): never {
  throw isDuplicate(error) ? new Taken() : error;
}
