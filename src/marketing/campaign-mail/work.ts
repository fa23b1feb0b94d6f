import {
  asOfContent,
  findCampaign,
  giveUpClaims,
  takePages,
  workersWithPages,
  PROVIDER_REFUSES,
  assignWinner,
  claimPage,
  contentChooser,
  recipientsOfPage,
  releasePage,
  setHeldReason,
  skipRecipients,
} from '../campaigns';
import type { Campaign, PageClaim, PageProgress, PageRecipient } from '../campaigns';
import { findContacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { newId } from '../../platform/core';
import type { Core, ProjectFacts } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import type { Attempt, CampaignClaim, Email } from '../../records/emails';
import { getProject } from '../../records/projects';
import { laterCounts } from '../../sending/deliver';
import type { CampaignWork, PageCall, PageTools } from '../../sending/deliver';
import { campaignEmail, contentsOf, messageFor, outgoingOf } from './mail';
import type { CampaignPageResult } from '../../contracts/campaign';
import { listeningWhile } from '../../records/events';
import { currentPause } from '../../sending/pause';
import { currentFence, isCampaignBehind } from '../../sending/restore-fence';
import { answer, pause } from '../../platform/async';
import type { SliceEnd, SlicesOf } from './claim-slices';
import { PageSlices, READ, withoutMessage } from './page-slices';
import { sendSlice } from './slice';

/** The parts of campaign mail that delivery calls. */
export const CAMPAIGN_WORK: CampaignWork = {
  sendPage,
  workers: workersWithPages,
  takePages,
  giveUp: ({ campaignId, _id }) => inTransaction((session) => giveUpClaims({ campaignId, _id }, session)),
  messagesOf,
};

/**
 * Resolves to the messages of a lost worker's claim, but for `written` ones, as they go into the queue: without a contact where that is gone. They are due since
 * their claim, so that after a restore the fence recognizes older ones.
 */
async function messagesOf(core: Core, claim: CampaignClaim, written: ReadonlySet<string>): Promise<readonly Email[]> {
  const campaign = await findCampaign(claim.projectId, claim.campaignId);
  if (!campaign) return [];
  const contacts = await contactsOf(claim, campaign);
  const outgoing = await outgoingOf(core, await getProject(claim.projectId), asOfContent(campaign, claim.contents[0]));
  const attempt: Attempt = { id: claim._id, worker: claim.worker, at: claim.at, lost: true };
  const charge = claim.month === null ? null : { month: claim.month, credits: 1 };
  const rows: Email[] = [];
  for (const [at, emailId] of claim.emails.entries()) {
    if (written.has(emailId)) continue;
    const contactId = claim.contacts[at] ?? '';
    const recipient = { emailId, email: claim.to[at] ?? '' };
    const contact = contacts.get(contactId) ?? { ...NO_DATA, _id: contactId };
    const contents = await contentsOf(contentIdAt(claim, at));
    const { message } = messageFor(core, outgoing, { recipient, contact }, contents, claim.at);
    rows.push({
      ...campaignEmail(outgoing, message, charge, attempt),
      status: 'queued',
      dueAt: claim.at,
      ...transportAt(claim, at),
      ...(!contacts.has(contactId) && { contactId: null }),
    });
  }
  return rows;
}

function transportAt({ transports }: CampaignClaim, at: number): Pick<Email, 'transport'> {
  const name = transports?.[at] ?? transports?.[0];
  return name === undefined ? {} : { transport: { name } };
}

const contentIdAt = ({ contents }: CampaignClaim, at: number): string => contents[at] ?? contents[0] ?? '';

const NO_DATA = { firstName: null, lastName: null, locale: null, data: {} };

/** Loads the contacts that still exist; one that was deleted and created again after the start does not count. */
async function contactsOf({ projectId, contacts }: CampaignClaim, { startedAt }: Campaign): Promise<ReadonlyMap<string, Contact>> {
  const found = await findContacts(projectId, contacts);
  return startedAt ? new Map([...found].filter(([, { createdAt }]) => createdAt <= startedAt)) : found;
}

/** While one slice of a page is on the wire, another is recorded. */
const AT_ONCE = 2;
/** A call ends after this time, and the page is requested again: a free worker takes it, so that all workers share the campaign. */
const CALL_MS = 3_000;
/** A listener that is added while a page is being sent is known after this time, and at once where a slice is claimed after it. */
const LISTENED_MS = 250;
/** The pause before a page that another attempt has is requested again. */
const OTHERS_MS = 200;

/** Sends a page of a campaign's recipients until its time is up. Skips recipients who may not get it, and leaves out recipients with a message. */
async function sendPage(tools: PageTools, call: PageCall): Promise<CampaignPageResult> {
  const attempt: Attempt = { id: newId('att'), worker: tools.workerId, at: new Date() };
  return tools.engine.during(attempt.id, async () => {
    const { input } = call;
    const campaign = await findCampaign(input.projectId, input.campaignId);
    // Without a frozen audience, the database was restored to an instant before the workflow's.
    if (campaign?.status !== 'sending' || campaign.phase !== 'frozen') return { ...NOTHING, over: true };
    const held = pausedByPerson(campaign) ?? (await whilePaused(campaign)) ?? (await behindFence(campaign, call));
    if (held) return held;
    if (input.winner) await assignWinner(input.campaignId, input, input.winner);
    const page = await pageInTime(call, attempt);
    return page ? new CampaignPage(tools, call, page).run() : NOTHING;
  });
}

/** Claims the page as soon as no other attempt has it; null when this call's time is over before. */
async function pageInTime({ input, signal }: PageCall, attempt: Attempt): Promise<PageClaim | null> {
  const until = performance.now() + CALL_MS;
  while (!signal.aborted && performance.now() < until) {
    // A claim that appears after the limit is taken over as a lost worker's.
    const page = await answer(() => claimPage(input, attempt));
    if (page) return page;
    await pause(OTHERS_MS);
  }
  return null;
}

/** Answers for a campaign that a person has paused; null for any other. */
const pausedByPerson = ({ paused }: Campaign): CampaignPageResult | null =>
  paused ? { ...NOTHING, held: 'paused', pausedUntil: paused.until && paused.until.toISOString() } : null;

/** Holds a campaign until an operator resumes sending. Null while mail is sent. */
async function whilePaused({ _id }: Campaign): Promise<CampaignPageResult | null> {
  if ((await currentPause()) === null) return null;
  await setHeldReason(_id, PAUSED);
  return { ...NOTHING, held: PAUSED };
}

const PAUSED = 'sending_paused';

const RESTORED = 'restored';

/** Holds a campaign that may have sent in the time that a restore lost, until an operator decides. Null for any other. */
async function behindFence(campaign: Campaign, call: PageCall): Promise<CampaignPageResult | null> {
  const fence = await currentFence();
  if (!fence || !isCampaignBehind(fence, campaign)) return null;
  if (fence.decision !== null) return leaveOut(call);
  await setHeldReason(campaign._id, RESTORED);
  return { ...NOTHING, held: RESTORED };
}

/** Skips recipients without a message, as they may have been sent in the time that the restore lost. */
async function leaveOut({ input, signal }: PageCall): Promise<CampaignPageResult> {
  const { campaignId } = input;
  let skipped = 0;
  for (let after: string | null = null; !signal.aborted;) {
    const rows: readonly PageRecipient[] = await recipientsOfPage(campaignId, input, after, READ);
    const without = await withoutMessage(input, rows);
    await skipRecipients([{ skipReason: RESTORED, ids: without.map(({ _id }) => _id) }]);
    skipped += without.length;
    if (rows.length < READ) return { ...NOTHING, skipped, done: true };
    after = rows.at(-1)?._id ?? null;
  }
  return { ...NOTHING, skipped };
}

const NOTHING: CampaignPageResult = { sent: 0, skipped: 0, done: false, held: null, over: false };

class CampaignPage {
  private readonly until = performance.now() + CALL_MS;
  private sent = 0;
  private ends: SliceEnd | null = null;
  private slices: PageSlices | null = null;
  private lastInOrder: Promise<unknown> = Promise.resolve();
  private readonly ended: Promise<void>[] = [];
  private readonly holds: number;

  constructor(
    private readonly tools: PageTools,
    private readonly call: PageCall,
    private readonly page: PageClaim,
  ) {
    this.holds = tools.engine.watch.version;
  }

  /** Sends the page. Resolves once everything sent is counted too. Ends early when the campaign may not continue, and when its time is up. */
  async run(): Promise<CampaignPageResult> {
    let progress: PageProgress = { after: this.page.after, untouched: false };
    try {
      await this.send();
      if (this.ends === null) progress = this.reached();
    } finally {
      await this.tools.engine.untilDone('A page was not released', () => releasePage(this.page, progress));
      await laterCounts(this.tools.core).inCampaigns.flush();
    }
    const { ends, sent } = this;
    const held = typeof ends === 'object' && ends ? ends.held : null;
    const waiting = this.waiting();
    const why = held ?? (waiting.refused ? PROVIDER_REFUSES : null);
    if (why !== null) await setHeldReason(this.page.campaignId, why);
    return { sent, skipped: this.slices?.skipped ?? 0, done: ends === null && this.isDone, held, over: ends === 'over', ...waiting };
  }

  /** Returns who of the page waits, and until when. */
  private waiting(): Pick<CampaignPageResult, 'laterAt' | 'refused'> {
    const { laterAt = null, refused = {} } = this.slices ?? {};
    return { ...(laterAt && { laterAt: laterAt.toISOString() }), ...(Object.keys(refused).length > 0 && { refused }) };
  }

  private async send(): Promise<void> {
    // Read after the claim: a cancel is either seen here, or takes the page.
    const { input } = this.call;
    const [campaign, project] = await Promise.all([findCampaign(input.projectId, input.campaignId), getProject(input.projectId)]);
    this.ends = endOf(project, campaign);
    if (!campaign || this.ends) return;
    const of: SlicesOf = { input, page: this.page, campaign, project, chooseContent: contentChooser(campaign) };
    const slices = new PageSlices(this.tools, of);
    this.slices = slices;
    const listening = listeningWhile(input.projectId, LISTENED_MS);
    const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => this.work(slices, of, listening)));
    for (const result of [...results, ...(await Promise.allSettled(this.ended))]) if (result.status === 'rejected') throw result.reason;
  }

  private get isDone(): boolean {
    return this.slices?.isDone === true;
  }

  /** Returns how far the page has come. One that is done starts over when it is requested again, since its campaign misses a recipient. */
  private reached(): PageProgress {
    const after = this.slices?.reached ?? this.page.after;
    return this.isDone ? { after: null, untouched: false } : { after, untouched: this.page.untouched };
  }

  private get isOver(): boolean {
    // Who was checked before a provider was held may wait now.
    const isHeldAnew = this.tools.engine.watch.version !== this.holds;
    return this.ends !== null || isHeldAnew || this.call.signal.aborted || performance.now() > this.until;
  }

  private async work(slices: PageSlices, of: SlicesOf, listening: ReturnType<typeof listeningWhile>): Promise<void> {
    let release = (): void => undefined;
    try {
      for (;;) {
        const claimed = await this.inOrder(async () => {
          if (this.isOver || (await slices.next()) === undefined) return undefined;
          release = await this.tools.permits.take(this.tools.sliceSize);
          return this.isOver ? undefined : slices.begin();
        });
        this.ends ??= slices.ends;
        if (claimed === undefined) return;
        const slice = sendSlice(this.tools, of, claimed, { listening: () => listening(claimed.claimedAt), recorded: release });
        this.ended.push(slice.ended);
        const { sent, ends } = await slice.result;
        release();
        this.sent += sent;
        this.ends ??= ends;
      }
    } catch (error) {
      this.ends ??= 'stopped';
      throw error;
    } finally {
      release();
    }
  }

  /** Runs works one after another: slices begin in the order of their recipients, so that the page has one position that it has reached. */
  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.lastInOrder.then(work);
    this.lastInOrder = next.catch(() => undefined);
    return next;
  }
}

/** Returns why a campaign waits or is over, before its credits are checked. A test campaign has no limits. */
function endOf(project: ProjectFacts, campaign: Campaign | null): SliceEnd | null {
  if (campaign?.status !== 'sending') return 'over';
  // The next request for the page says so.
  if (campaign.paused) return 'stopped';
  if (project.disabledAt) return { held: 'disabled' };
  return !campaign.testMode && project.reputation.state === 'paused' ? { held: 'reputation_paused' } : null;
}
