import type { Core } from '../../platform/core';
import type { Email } from '../../records/emails';
import { OPEN, currentHolds, forgetHolds, holdId, holdsOf, takeProbe } from './note';
import type { ProviderHold } from './model';
import { providersOf } from '../exchangers';
import { watchOf } from './watch';

type HoldCore = Pick<Core, 'config' | 'dns'>;

/** Recipients of a page by whether their provider takes campaign mail. */
export interface HeldBack<Of> {
  readonly open: readonly Of[];
  /** The recipients that wait, and their providers. */
  readonly waiting: readonly { readonly of: Of; readonly provider: string }[];
  /** When the first of the holds is checked again; null where nobody waits. */
  readonly until: Date | null;
}

/** Holds recipients back whose provider refuses the project's mail, but for one that a hold lets through as its probe. Asks nothing while there are no holds. */
export async function heldBack<Of>(
  core: HoldCore,
  projectId: string,
  asked: readonly Of[],
  mailOf: (one: Of) => { readonly to: string; readonly emailId: string },
): Promise<HeldBack<Of>> {
  const holds = await holdsNow(core, projectId);
  const open: Of[] = [];
  const waiting: { readonly of: Of; readonly provider: string }[] = [];
  if (holds.size === 0) return { open: asked, waiting, until: null };
  const untils: number[] = [];
  const providerOf = await providersOf(core).ofAll(asked.map((one) => mailOf(one).to));
  for (const one of asked) {
    const { to, emailId } = mailOf(one);
    const hold = holds.get(holdId(projectId, providerOf(to)));
    if (!hold || (await isProbe(core, holds, hold, emailId))) open.push(one);
    else {
      waiting.push({ of: one, provider: hold.provider });
      untils.push(nextCheckOf(hold));
    }
  }
  return { open, waiting, until: untils.length > 0 ? new Date(Math.min(...untils)) : null };
}

const nextCheckOf = ({ nextCheckAt }: ProviderHold): number => nextCheckAt?.getTime() ?? 0;

/** Reads the holds of a project where there may be any, and has the watch learn them. */
async function holdsNow(core: HoldCore, projectId: string): Promise<Map<string, ProviderHold>> {
  const watch = watchOf(core);
  const isAlert = watch.isAlert(projectId) || (await currentHolds()).some((row) => row.projectId === projectId);
  if (!isAlert) return new Map();
  const rows = await holdsOf(projectId);
  watch.learnOf(projectId, rows);
  return new Map(rows.map((row) => [row._id, row]));
}

/** Stands for a message of another campaign, or of another worker. */
const ANOTHER = 'another';

/** Resolves to whether a message is the probe of a hold; takes it for the message if nobody has. */
async function isProbe(core: HoldCore, holds: Map<string, ProviderHold>, hold: ProviderHold, emailId: string): Promise<boolean> {
  if (hold.probe !== OPEN) return hold.probe === emailId;
  const isTaken = await takeProbe(hold, emailId);
  holds.set(hold._id, { ...hold, probe: isTaken ? emailId : ANOTHER });
  if (!isTaken) return false;
  forgetHolds();
  watchOf(core).learnOf(hold.projectId, await holdsOf(hold.projectId));
  return true;
}

/** The reason that `GET /v1/emails/{id}` shows for a message whose provider refuses the campaign's mail. */
const REFUSED = 'Waits: its provider refuses the mail of this campaign';

/** Retries are checked again after this long at most: a person may have ended the hold. */
const CHECK_AGAIN_MS = 15 * 60_000;
const SOONEST_MS = 30_000;

/** Puts due messages of campaigns off whose provider refuses them. Resolves to the others. */
export async function withoutRefused(
  core: HoldCore,
  due: readonly Email[],
  now: Date,
  putOff: (emails: readonly Email[], until: Date, why: string) => Promise<void>,
): Promise<readonly Email[]> {
  const ofCampaigns = due.filter(({ source, testMode }) => source === 'campaign' && !testMode);
  const holds = ofCampaigns.length === 0 ? [] : await currentHolds();
  if (holds.length === 0) return due;
  const late = await lateOf(core, new Map(holds.map((row) => [row._id, row])), ofCampaigns);
  for (const [hold, emails] of late) {
    const until = Math.min(now.getTime() + CHECK_AGAIN_MS, Math.max(now.getTime() + SOONEST_MS, nextCheckOf(hold)));
    await putOff(emails, new Date(until), REFUSED);
  }
  const put = new Set([...late.values()].flat());
  return due.filter((email) => !put.has(email));
}

/** Resolves to the messages that wait for a hold, but for its probe. */
async function lateOf(
  core: HoldCore,
  holds: ReadonlyMap<string, ProviderHold>,
  emails: readonly Email[],
): Promise<ReadonlyMap<ProviderHold, readonly Email[]>> {
  const late = new Map<ProviderHold, Email[]>();
  const providerOf = await providersOf(core).ofAll(emails.map(({ to }) => to));
  for (const email of emails) {
    const hold = holds.get(holdId(email.projectId, providerOf(email.to)));
    if (!hold || hold.probe === email._id) continue;
    const others = late.get(hold);
    if (others) others.push(email);
    else late.set(hold, [email]);
  }
  return late;
}
