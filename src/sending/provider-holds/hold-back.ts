import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { Email } from '../../records/emails';
import { OPEN, currentHolds, forgetHolds, holdId, holdsOf, takeProbe } from './note';
import type { ProviderHold } from './model';
import { providersOf } from '../exchangers';
import { domainOf } from '../../platform/addresses';
import { policyOf } from '../../rules/policy-refusal';

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

/** A refusal that was noted here counts here for this long, until the hold itself is known. */
const OWN_MS = 60_000;

interface Passing {
  readonly projectId: string;
  readonly to: string;
}

interface Reply {
  readonly code: number;
  readonly enhanced: string | null;
  readonly text: string;
}

/** Refusals that this process has seen, and when the last one was. */
interface Noted {
  readonly count: number;
  readonly at: number;
}

/**
 * Stops the campaign mail of this process to providers that refuse it, message by message: at once by what this process has seen itself, and within a second by
 * what others have. While nobody refuses anything, it asks nothing.
 */
export class ProviderWatch {
  /** Changes whenever there is another hold: what was checked before is checked again. */
  version = 0;
  private readonly own = new Map<string, Noted>();
  private held = new Map<string, ProviderHold>();

  constructor(private readonly core: Pick<Core, 'config' | 'dns'>) {}

  /** Learns which holds there are. */
  async learn(): Promise<void> {
    this.set(await currentHolds());
  }

  /** Learns the holds of a project, as they were just read. */
  learnOf(projectId: string, rows: readonly ProviderHold[]): void {
    this.set([...[...this.held.values()].filter((row) => row.projectId !== projectId), ...rows]);
  }

  private set(rows: readonly ProviderHold[]): void {
    if (rows.length === 0 && this.held.size === 0) return;
    const before = this.held;
    this.held = new Map(rows.map((row) => [row._id, row]));
    for (const id of new Set([...before.keys(), ...this.held.keys()])) this.own.delete(id);
    if ([...this.held.keys()].some((id) => !before.has(id))) this.version += 1;
  }

  /** Returns whether mail of a project is refused somewhere: then the providers of its recipients have to be known. */
  isAlert(projectId: string): boolean {
    return this.hasHold(projectId) || this.hasNoted(projectId, isFresh);
  }

  /** Resolves when the providers of these addresses are known, as far as DNS says. */
  async lookUp(addresses: readonly string[]): Promise<void> {
    await providersOf(this.core).ofAll(addresses);
  }

  /** Returns whether a message of a campaign may be tried. One whose provider DNS does not say waits while another provider refuses mail of the project. */
  mayTry({ projectId, to }: Passing, emailId: string): boolean {
    if (!this.isAlert(projectId)) return true;
    const provider = providersOf(this.core).ifKnown(domainOf(to));
    if (provider === undefined) return !this.hasHold(projectId) && !this.hasNoted(projectId, (noted) => this.isEnough(noted));
    const id = holdId(projectId, provider);
    const row = this.held.get(id);
    return row ? row.probe === emailId : !this.isReached(id);
  }

  private hasHold(projectId: string): boolean {
    for (const row of this.held.values()) if (row.projectId === projectId) return true;
    return false;
  }

  private hasNoted(projectId: string, test: (noted: Noted) => boolean): boolean {
    for (const [id, noted] of this.own) if (id.startsWith(`${projectId}/`) && test(noted)) return true;
    return false;
  }

  /** Notes what a server answered to a message that it did not take. */
  note({ projectId, to }: Passing, reply: Reply | null): void {
    if (reply === null || policyOf({ code: reply.code, enhanced: reply.enhanced, words: reply.text }) === null) return;
    const domain = domainOf(to);
    const provider = providersOf(this.core).ifKnown(domain);
    if (provider !== undefined) return this.count(holdId(projectId, provider));
    void providersOf(this.core)
      .of(domain)
      .then((found) => this.count(holdId(projectId, found)));
  }

  private count(id: string): void {
    if (this.held.has(id)) return;
    const known = this.own.get(id);
    const count = (known && isFresh(known) ? known.count : 0) + 1;
    this.own.set(id, { count, at: performance.now() });
    if (count === this.core.config.POLICY_REFUSALS) this.version += 1;
  }

  private isReached(id: string): boolean {
    const known = this.own.get(id);
    if (!known) return false;
    if (!isFresh(known)) this.own.delete(id);
    return this.isEnough(known);
  }

  private isEnough(noted: Noted): boolean {
    return isFresh(noted) && noted.count >= this.core.config.POLICY_REFUSALS;
  }
}

const isFresh = ({ at }: Noted): boolean => performance.now() - at < OWN_MS;

export const watchOf = perCore((core: Pick<Core, 'config' | 'dns'>) => new ProviderWatch(core));
