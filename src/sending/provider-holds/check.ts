import type { UpdateQuery } from 'mongoose';
import { messageFacts, messagesThere } from '../../records/emails';
import type { CampaignMessage } from '../../records/emails';
import type { Core } from '../../platform/core';
import { checkDelay, recordsFor } from '../../rules/policy-refusal';
import { missingRecords } from '../domains';
import { OPEN, forgetHolds, holdsOf } from './note';
import { ProviderHoldModel } from './model';
import type { ProviderHold } from './model';

const DNS_MS = 10_000;
/** Time until a probe in delivery is checked again. */
const ON_ITS_WAY_MS = 15_000;
/** Time without a message after which a probe counts as abandoned: its page ended before it began. */
const PROBE_MS = 60_000;

/** A campaign that waits for providers, and the domain that it sends from. */
interface Waiting {
  readonly projectId: string;
  readonly campaignId: string;
  readonly fromDomain: string;
}

type CheckCore = Pick<Core, 'config' | 'dns' | 'log'>;

/**
 * Checks the holds of a project that are due: first DNS, then a probe, whose result the next check finds. Resolves to when to check again, in milliseconds; to
 * null once pages may go out again, as a hold has ended or a probe is wanted. Safe to repeat, and to call for several campaigns at once: each change expects the
 * hold as it was read.
 */
export async function checkHolds(core: CheckCore, waiting: Waiting, now: number): Promise<number | null> {
  const rows = await holdsOf(waiting.projectId);
  const next: number[] = [];
  let goesOn = rows.length === 0;
  for (const row of rows) {
    const at = await checkOne(core, waiting, row, now);
    if (at === null) goesOn = true;
    else next.push(at);
  }
  forgetHolds();
  return goesOn ? null : Math.min(...next);
}

function checkOne(core: CheckCore, waiting: Waiting, row: ProviderHold, now: number): Promise<number | null> {
  if (row.probe === OPEN) return Promise.resolve(null);
  if (row.probe !== null) return checkProbe(core, waiting, row, row.probe, now);
  const at = row.nextCheckAt?.getTime() ?? now;
  return at > now ? Promise.resolve(at) : lookUp(core, waiting, row, now);
}

async function lookUp(core: CheckCore, { projectId, fromDomain: domain }: Waiting, row: ProviderHold, now: number): Promise<number | null> {
  const { missing, known } = await missingRecords(core, projectId, { domain, keys: recordsFor(row.policy), limitMs: DNS_MS });
  if (missing.length > 0 || !known) return later(row, now, { missing: [...missing] });
  await change(row, { probe: OPEN, missing: [] });
  return null;
}

async function checkProbe(
  core: CheckCore,
  { projectId, campaignId }: Waiting,
  row: ProviderHold,
  probe: string,
  now: number,
): Promise<number | null> {
  const message = (await messageFacts(projectId, [probe])).get(probe);
  if (!message || message.status === 'sending') return onItsWay({ projectId, campaignId }, row, probe, now);
  if (message.status === 'queued') return later(row, now, {});
  if (!isTaken(message)) return later(row, now, { probe: null, probeAt: null });
  const { _id, projectId: _of, provider } = row;
  const { deletedCount } = await ProviderHoldModel.deleteOne({ _id, probe });
  if (deletedCount > 0) core.log.info({ projectId, provider }, 'A provider accepts campaign mail again: the hold has ended');
  return null;
}

/** Returns whether a provider took the message, whatever happened to it later. */
const isTaken = ({ status }: CampaignMessage): boolean => !['bounced', 'failed', 'cancelled'].includes(status);

async function onItsWay(
  of: { projectId: string; campaignId: string },
  row: ProviderHold,
  probe: string,
  now: number,
): Promise<number | null> {
  const isOld = (row.probeAt?.getTime() ?? 0) < Date.now() - PROBE_MS;
  if (!isOld || (await messagesThere(of, [probe])).has(probe)) return now + ON_ITS_WAY_MS;
  await change(row, { probe: OPEN, probeAt: null });
  return null;
}

async function later(row: ProviderHold, now: number, set: Partial<ProviderHold>): Promise<number> {
  const checks = row.checks + 1;
  const at = now + checkDelay(checks);
  await change(row, { ...set, checks, nextCheckAt: new Date(at) });
  return at;
}

const change = async ({ _id, checks, probe }: ProviderHold, set: NonNullable<UpdateQuery<ProviderHold>['$set']>): Promise<void> => {
  await ProviderHoldModel.updateOne({ _id, checks, probe }, { $set: set });
};
