import type { ClientSession } from 'mongoose';
import { unlessLate } from '../../platform/async';
import type { Core } from '../../platform/core';
import type { MailExchange } from '../../platform/dns';
import { inTransaction, isDuplicate } from '../../platform/mongo';
import { emit } from '../../records/events';
import { bumpConfigVersion } from '../../records/projects';
import { shown } from '../../rules/domains/answers';
import type { Answer, Shown, Verdict } from '../../rules/domains/answers';
import { judgeDmarc } from '../../rules/domains/dmarc';
import { judgeCname, judgeDkim, judgeMx, judgeText } from '../../rules/domains/judge';
import { bounceStatus } from '../../rules/domains/records';
import type { DnsRecord, RecordKey } from '../../rules/domains/records';
import { judgeSpf } from '../../rules/domains/spf';
import { afterCheck, begun, waitAfter } from '../../rules/domains/status';
import type { CheckTimes, Standing, Verdicts } from '../../rules/domains/status';
import { isDevelopment } from './lookups';
import { DomainModel, findVerified } from './model';
import type { Domain } from './model';
import { dnsRecordsOf, standingFields, standingOf } from './row';

type CheckCore = Pick<Core, 'config' | 'dns'>;

/** Returns how often, and for how long, a domain is checked. */
export const checkTimes = ({ config }: Pick<Core, 'config'>): CheckTimes => ({
  windowMs: config.DOMAIN_CHECK_WINDOW_HOURS * 3_600_000,
  intervalMs: config.DOMAIN_CHECK_INTERVAL_SECONDS * 1_000,
});

/** The result of a check. */
export interface RecordsChecked {
  readonly verdicts: Verdicts;
  readonly answers: Readonly<Record<RecordKey, Shown>>;
}

interface CheckedRecord {
  readonly verdict: Verdict;
  readonly answer: Answer<string>;
}

/** Resolves to DNS's answers about each record of a domain. An answer that takes longer than `limitMs` is unknown. */
export async function checkRecords(core: CheckCore, row: Domain, limitMs: number): Promise<RecordsChecked> {
  const records = dnsRecordsOf(core, row);
  const judged = await Promise.all(
    records.map(async (record) => ({ record, ...(await unlessLate(limitMs, checkRecord(core, row, record), notAnswered)) })),
  );
  return {
    verdicts: Object.fromEntries(judged.map(({ record, verdict }) => [record.key, verdict])) as Verdicts,
    answers: Object.fromEntries(judged.map(({ record, answer }) => [record.key, shown(answer, record.value)])) as RecordsChecked['answers'],
  };
}

const notAnswered = (): CheckedRecord => ({ verdict: 'unknown', answer: { said: 'unknown' } });

async function checkRecord(core: CheckCore, row: Domain, record: DnsRecord): Promise<CheckedRecord> {
  const { config, dns } = core;
  switch (record.type) {
    case 'CNAME': {
      const answer = await dns.cname(record.host);
      return { answer, verdict: judgeCname(answer, config.TRACKING_HOST) };
    }
    case 'MX': {
      const answer = await dns.mx(record.host);
      return { answer: asTexts(answer), verdict: judgeMx(answer, config.MX_HOST) };
    }
    case 'TXT': {
      const answer = await dns.txt(record.host);
      return { answer, verdict: await checkText(core, row, record, answer) };
    }
  }
}

function checkText({ config, dns }: CheckCore, row: Domain, record: DnsRecord, answer: Answer<string>): Verdict | Promise<Verdict> {
  switch (record.purpose) {
    case 'dkim':
      return judgeDkim(answer, row.dkimPublicKey);
    case 'dmarc':
      return judgeDmarc(row.domain, answer, (name) => dns.txt(name));
    case 'spf':
    case 'mailfrom':
      return judgeSpf(answer, config.SPF_INCLUDE, (name) => dns.txt(name));
    default:
      return judgeText(answer, record.value);
  }
}

const asTexts = (answer: Answer<MailExchange>): Answer<string> =>
  answer.said === 'found' ? { said: 'found', records: answer.records.map(({ host, preference }) => `${preference} ${host}`) } : answer;

/** Resolves to whether another project has this domain. */
export const isTaken = async ({ _id, domain }: Pick<Domain, '_id' | 'domain'>): Promise<boolean> =>
  (await DomainModel.exists({ domain, status: 'verified', _id: { $ne: _id } })) !== null;

/** The result of a check, with its time. */
export interface Found extends RecordsChecked {
  readonly now: Date;
}

/**
 * Stores what a check found, and invalidates the project's cached senders when that changes them; null when the domain is gone. Of checks that race, each builds on the
 * one before.
 */
export async function recordCheck(core: CheckCore, projectId: string, id: string, found: Found): Promise<Domain | null> {
  for (;;) {
    const row = await DomainModel.findOne({ _id: id, projectId }).lean<Domain>();
    if (!row) return null;
    const taken = row.status !== 'verified' && (await isTaken(row));
    const next = nextOf(core, row, found, taken);
    if (await stored(row, next)) return next;
  }
}

function nextOf(core: CheckCore, row: Domain, { verdicts, answers, now }: Found, taken: boolean): Domain {
  const times = checkTimes(core);
  const before = standingOf(row);
  const at = now.getTime();
  const check = { verdicts, now: at, isDevelopment: isDevelopment(core, row), isTaken: taken };
  const after: Standing = afterCheck(begun(before, at), check, times);
  const since = verifiedAt(row, after, now);
  const waitMs = check.isDevelopment ? null : waitAfter(after, times, at, since?.getTime() ?? null);
  return {
    ...row,
    ...standingFields(after),
    answers,
    verifiedAt: since,
    lastCheckedAt: now,
    nextCheckAt: waitMs === null ? null : new Date(at + waitMs),
    revision: row.revision + 1,
  };
}

function verifiedAt(row: Domain, { status }: Standing, now: Date): Date | null {
  if (status !== 'verified') return null;
  return row.status === 'verified' ? row.verifiedAt : now;
}

/** Returns the state of a domain that matters for sending. */
const sending = ({ status, records }: Domain): string =>
  status === 'verified' ? [records.tracking === 'verified', bounceStatus(records) === 'verified'].join() : 'none';

/** Resolves to whether nothing else was stored since the row was read. */
async function stored(row: Domain, next: Domain): Promise<boolean> {
  const { _id, projectId, ...fields } = next;
  const asRead = { _id, projectId, revision: row.revision };
  try {
    return await inTransaction(async (session) => {
      // Not strict: what a later release added to the row goes back as it was read.
      const { matchedCount } = await DomainModel.updateOne(asRead, { $set: fields }, { session, strict: false }).catch(refuseTaken);
      if (matchedCount === 0) return false;
      if (sending(row) !== sending(next)) await bumpConfigVersion(projectId, session);
      if (row.status !== next.status) await emitStatus(session, next);
      return true;
    });
  } catch (error) {
    if (!(error instanceof Taken)) throw error;
    return false;
  }
}

/** Emits that a domain was verified, or that its check failed for good; a check that begins again emits nothing. */
async function emitStatus(session: ClientSession, { _id: domainId, projectId, domain, status, lastCheckedAt }: Domain): Promise<void> {
  if (status === 'pending') return;
  const at = lastCheckedAt ?? new Date();
  await emit(session, [{ projectId, name: `email.domain_${status}`, contactId: null, data: { domainId, domain }, testMode: false, at }]);
}

/** Another project's domain was verified a moment ago. */
class Taken extends Error {}

function refuseTaken(error: unknown): never {
  throw isDuplicate(error) ? new Taken() : error;
}

/** The answer of DNS about some records of a sending domain. */
interface Missing {
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
  const row = keys.length > 0 ? await findVerified(projectId, domain) : null;
  if (!row || isDevelopment(core, row)) return { missing: [], known: true };
  const { verdicts } = await checkRecords(core, row, limitMs);
  const wanted = dnsRecordsOf(core, row).filter(({ key }) => keys.includes(key));
  return {
    missing: wanted.filter(({ key }) => verdicts[key] === 'wrong').map(({ type, host }) => `${type} ${host}`),
    known: wanted.every(({ key }) => verdicts[key] !== 'unknown'),
  };
}
