import { recheckSendTimes, moveSendTimes, recipientsOfPage, skipRecipients } from '../campaigns';
import type { PageRecipient, Campaign, RecheckedSendTime } from '../campaigns';
import type { CampaignKey } from '../../contracts/campaign';
import { messagesThere } from '../../records/emails';
import type { PageTools } from '../../sending/deliver';
import { claimSlices } from './claim-slices';
import type { ClaimedSlice, SliceEnd, SlicesOf } from './claim-slices';
import type { Addressed } from './mail';
import { withinLimits } from './mail';
import { findReaders } from '../../audience/contacts';
import type { Reader } from '../../audience/contacts';
import type { Core, ProjectFacts } from '../../platform/core';
import { refusal } from '../../rules/refusal';
import type { RecipientState, Refusal } from '../../rules/refusal';
import { isSimulated } from '../../rules/simulator';
import { heldBack } from '../../sending/provider-holds';
import { suppressionsOfMany } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';

/** Recipients that are read together: half a page. They are in memory until they are sent, and what stays long is dear to the garbage collector. */
export const READ = 1_000;
/** Slices that are claimed together at first, and then twice as many each time: a slow page has few claims that its cancel or its end gives up. */
const AT_FIRST = 2;

/** The slices of a page, claimed some ahead of the ones that begin: a claim takes four commands, for one slice or for many. */
export class PageSlices {
  /** Recipients who may not get a message. */
  skipped = 0;
  /** When recipients that wait for a limit are to be read again; null when none waits. */
  laterAt: Date | null = null;
  /** Why there are no more, where recipients are left. */
  ends: SliceEnd | null = null;
  private judged: (readonly Addressed[])[] = [];
  private claimed: ClaimedSlice[] = [];
  private isRead = false;
  private readTo: string | null;
  private begunTo: string | null;
  private limit: SliceEnd | null = null;
  private together = AT_FIRST;
  /** Recipients who wait because their provider refuses the campaign's mail. */
  private readonly waiting: { readonly id: string; readonly provider: string }[] = [];

  constructor(
    private readonly tools: PageTools,
    private readonly of: SlicesOf,
  ) {
    this.readTo = of.page.after;
    this.begunTo = of.page.after;
  }

  /** Whether all recipients of the page have begun or were skipped. */
  get isDone(): boolean {
    return this.isRead && this.judged.length === 0 && this.claimed.length === 0;
  }

  /** The last recipient up to whom all have begun or were skipped. */
  get reached(): string | null {
    return this.begunTo;
  }

  /** Counts those who wait because their provider refuses the campaign's mail, by provider, as far as the page has come: who comes later is checked again. */
  get refused(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    const isPassed = (id: string): boolean => this.isDone || (this.begunTo !== null && id <= this.begunTo);
    for (const { id, provider } of this.waiting) if (isPassed(id)) counts[provider] = (counts[provider] ?? 0) + 1;
    return counts;
  }

  /** Resolves to the slice to begin next, claimed; undefined when there is none. Calls follow one another. */
  async next(): Promise<ClaimedSlice | undefined> {
    while (this.claimed.length === 0) {
      this.ends ??= this.limit;
      if (this.ends !== null) return undefined;
      while (this.judged.length === 0 && !this.isRead) await this.readMore();
      if (this.judged.length === 0) return undefined;
      await this.claimMore();
    }
    return this.claimed[0];
  }

  /** Takes the slice that `next` resolved to, which begins now. */
  begin(): ClaimedSlice | undefined {
    const slice = this.claimed.shift();
    this.begunTo = slice?.mail.at(-1)?.recipient._id ?? this.begunTo;
    return slice;
  }

  private async claimMore(): Promise<void> {
    const { slices, ends } = await claimSlices(this.tools, this.of, this.judged.splice(0, this.together));
    this.together *= 2;
    this.claimed = [...slices];
    this.limit = ends;
  }

  private async readMore(): Promise<void> {
    const { input, campaign, project, page } = this.of;
    const rows = await recipientsOfPage(input.campaignId, input, this.readTo, READ);
    const asked = page.untouched ? rows : await withoutMessage(input, rows);
    const { open: judged, moved } = await checkRecipients(this.tools.core, campaign, project, asked, recheckSendTimes(campaign, input));
    const open = await this.withinLimits(await this.withoutRefused(judged));
    this.skipped += asked.length - judged.length - moved;
    this.isRead = rows.length < READ;
    this.readTo = rows.at(-1)?._id ?? this.readTo;
    this.judged = slicesOf(open, this.tools.sliceSize);
    if (this.judged.length === 0) this.begunTo = this.readTo;
  }

  /** Keeps those whose provider takes the campaign's mail; the others stay pending. */
  private async withoutRefused(asked: readonly Addressed[]): Promise<readonly Addressed[]> {
    const { core } = this.tools;
    const { testMode, projectId } = this.of.campaign;
    if (testMode) return asked;
    const mailOf = ({ recipient: { email, emailId } }: Addressed) => ({ to: email, emailId });
    const { open, waiting, until } = await heldBack(core, projectId, asked, mailOf);
    this.waiting.push(...waiting.map(({ of, provider }) => ({ id: of.recipient._id, provider })));
    this.laterIs(until);
    return open;
  }

  private laterIs(at: Date | null): void {
    if (at && (this.laterAt === null || at < this.laterAt)) this.laterAt = at;
  }

  /** Keeps recipients that their limits let through now, and skips those that have reached one for good. */
  private async withinLimits(asked: readonly Addressed[]): Promise<readonly Addressed[]> {
    const { open, reached, laterAt } = await withinLimits(this.of.campaign, this.of.project, asked);
    await skipRecipients(reached.map(({ id, detail }) => ({ skipReason: 'limit_reached', skipDetail: detail, ids: [id] })));
    this.skipped += reached.length;
    this.laterIs(laterAt);
    return open;
  }
}

/**
 * Skips recipients who may no longer get a campaign: contacts that were deleted, opted out or suppressed since the audience was frozen.
 * Resolves to the others, but for those whose window is closed by now: their send time moves, and they are counted. A contact that was deleted and created again after
 * the start counts as deleted.
 */
async function checkRecipients(
  core: Pick<Core, 'config'>,
  campaign: Campaign,
  project: ProjectFacts,
  rows: readonly PageRecipient[],
  sendTimeOf: ReturnType<typeof recheckSendTimes>,
): Promise<{ readonly open: readonly Addressed[]; readonly moved: number }> {
  const ids = rows.map(({ contactId }) => contactId);
  const [contacts, suppressions] = await Promise.all([findReaders(project._id, ids), suppressionsOfMany(project._id, ids)]);
  const open: Addressed[] = [];
  const skipped = new SkippedRecipients();
  const moved = new MovedTurns();
  const at = new Date();
  for (const recipient of rows) {
    const contact = contacts.get(recipient.contactId);
    const sendTime = sendTimeOf && contact ? sendTimeOf(contact.timezone) : null;
    const { state, refused } = judgementOf(core, campaign, contact, suppressions.get(recipient.contactId), at);
    const refusal = refused ?? neverOf(sendTime);
    if (!contact || refusal)
      skipped.take(refusal ?? DELETED, state && { at, suppression: state.suppression, subscribed: state.subscribed }, recipient._id);
    else if (!moved.take(sendTime, recipient._id)) open.push({ recipient, contact });
  }
  await skipRecipients(skipped.together);
  await moveSendTimes(moved.byInstant);
  return { open, moved: moved.count };
}

/** Recipients who are skipped for one reason, by the same facts. */
type SkippedTogether = Parameters<typeof skipRecipients>[0][number] & { readonly ids: string[] };

/** Recipients who are skipped, by reason and facts. */
class SkippedRecipients {
  private readonly groups = new Map<string, SkippedTogether>();

  take({ reason, detail }: Refused, judged: SkippedTogether['judged'] | null, recipientId: string): void {
    const key = JSON.stringify([reason, detail, judged]);
    const alike = this.groups.get(key);
    if (alike) alike.ids.push(recipientId);
    else this.groups.set(key, { skipReason: reason, ...(detail && { skipDetail: detail }), ...(judged && { judged }), ids: [recipientId] });
  }

  get together(): readonly SkippedTogether[] {
    return [...this.groups.values()];
  }
}

/** Recipients whose window is closed by now, by when it opens. */
class MovedTurns {
  readonly byInstant = new Map<number, string[]>();
  count = 0;

  /** Returns whether the recipient's send time moves. */
  take(sendTime: RecheckedSendTime | null, recipientId: string): boolean {
    if (!sendTime || sendTime.later === null) return false;
    const others = this.byInstant.get(sendTime.later);
    if (others) others.push(recipientId);
    else this.byInstant.set(sendTime.later, [recipientId]);
    this.count += 1;
    return true;
  }
}

const neverOf = (sendTime: RecheckedSendTime | null): Refusal | null =>
  sendTime && sendTime.never !== null ? { reason: 'limit_reached', detail: { window: sendTime.never } } : null;

const DELETED = { reason: 'deleted' } as const;
type Refused = Refusal | (typeof DELETED & { readonly detail?: never });

interface Judgement {
  /** Null for a contact that was deleted. */
  readonly state: RecipientState | null;
  readonly refused: Refused | null;
}

function judgementOf(
  { config }: Pick<Core, 'config'>,
  { startedAt, topic }: Campaign,
  contact: Reader | undefined,
  suppression: Suppression | undefined,
  at: Date,
): Judgement {
  if (!contact || (startedAt && contact.createdAt > startedAt)) return { state: null, refused: DELETED };
  const reason = isSimulated(contact.email, config.PLATFORM_DOMAIN) ? null : (suppression?.reason ?? null);
  const { subscribed, snoozedUntil } = contact;
  const state: RecipientState = { suppression: reason, subscribed, snoozedUntil, choices: contact };
  return { state, refused: refusal('marketing', state, topic, at) };
}

/** Splits recipients into slices of similar sizes, as large as allowed. */
function slicesOf(open: readonly Addressed[], most: number): (readonly Addressed[])[] {
  const count = Math.ceil(open.length / most);
  return Array.from({ length: count }, (_, index) =>
    open.slice(Math.floor((index * open.length) / count), Math.floor(((index + 1) * open.length) / count)),
  );
}

/** Keeps recipients who have no message yet, and are in no claim that has begun. */
export async function withoutMessage(campaign: CampaignKey, rows: readonly PageRecipient[]): Promise<readonly PageRecipient[]> {
  const emailIds = rows.map(({ emailId }) => emailId);
  const there = await messagesThere(campaign, emailIds);
  return rows.filter(({ emailId }) => !there.has(emailId));
}
