import { chargeCampaign, refundCampaign } from '../billing/reservations';
import { findCampaign, setHeldReason } from '../campaigns/page-source';
import type { Campaign, CampaignRecipient } from '../campaigns/page-source';
import type { Core, ProjectFacts } from '../context';
import type { CampaignPageInput, Variant } from '../contracts/campaign';
import { beginClaim, dropClaim, endClaim, insertClaim } from '../emails/claims';
import type { CampaignClaim, ClaimedMail } from '../emails/claims';
import { existingIds } from '../emails/claimed';
import type { Attempt } from '../emails/model';
import { newId } from '../ids';
import { getProject } from '../projects/service';
import { takeUnits } from '../send/throttled';
import { withinLimit } from '../time-limit';
import { judgeRecipients } from './campaign-judge';
import { campaignMail, contentsOf, hostsOf } from './campaign-mail';
import type { Addressed, ReadyMail } from './campaign-mail';
import { noteOutcomes, noteSlice } from './counted';
import type { Engine } from './engine';
import type { Finished } from './record';
import { recordSlice } from './record-slice';

export interface SliceTools {
  readonly core: Core;
  readonly engine: Engine;
  readonly workerId: string;
  readonly lanesAtOnce: number;
}

/** Why no more may follow: the campaign is not sending, this worker may put nothing on a wire, or the campaign holds for a reason. */
export type SliceEnd = 'over' | 'stopped' | { readonly held: string };

export interface SliceResult {
  readonly sent: number;
  readonly skipped: number;
  readonly ends: SliceEnd | null;
}

/** The longest that a claim may take; one that appears after it is taken over as a lost worker's. */
const ANSWER_MS = 20_000;

/** The claim was taken over, or withdrawn by a cancel. */
class ClaimLost extends Error {}

/**
 * Sends a slice of a campaign's audience: claims it by one document, judges its recipients, charges, puts it on the wire, and then writes its rows, once.
 *
 * | killed                              | found                                         | happens                                                                  |
 * |-------------------------------------|-----------------------------------------------|--------------------------------------------------------------------------|
 * | before the claim                    | recipients without a message                  | the page is asked for again and finds them                               |
 * | after it, before it begins          | a claim that has not begun                    | dropped after the lease: nothing was sent or charged; the page goes on   |
 * | begun (charged), before the dot     | a claim that has begun, worker's lease ends   | taken over after the lease: rows in the queue, sent by the pump          |
 * | past the final dot                  | the same                                      | in doubt: the same, with the same Message-ID                             |
 * | some or all rows written            | the claim, and rows of its attempt            | those keep what they say and their events are made sure of; others as above |
 * | events, counters written            | the claim, and all that follows from it       | the same; nothing happens twice                                          |
 * | claim ended                         | rows alone                                    | the page finds the messages and leaves the recipients alone              |
 * | cancelled meanwhile                 | a claim made after the cancel                 | dropped before anything is sent: nothing begins after a cancel           |
 * | cancelled before it begins          | a claim that has not begun                    | withdrawn before its recipients are skipped: it cannot begin any more    |
 */
export async function sendSlice(tools: SliceTools, input: CampaignPageInput, rows: readonly CampaignRecipient[]): Promise<SliceResult> {
  const attempt: Attempt = { id: newId('att'), worker: tools.workerId, at: new Date() };
  return tools.engine.during(attempt.id, () => new Slice(tools, input, attempt).send(rows));
}

interface Known {
  readonly campaign: Campaign;
  readonly project: ProjectFacts;
}

const nothing = (ends: SliceEnd | null, skipped = 0): SliceResult => ({ sent: 0, skipped, ends });

class Slice {
  private begun = false;

  constructor(
    private readonly tools: SliceTools,
    private readonly input: CampaignPageInput,
    private readonly attempt: Attempt,
  ) {}

  async send(rows: readonly CampaignRecipient[]): Promise<SliceResult> {
    try {
      const claim = await withinLimit(ANSWER_MS, () => insertClaim(this.newClaim(rows)));
      return claim ? await this.sendClaimed(claim, rows) : nothing(null);
    } finally {
      // One that has begun is ended by its record.
      if (!this.begun) await dropClaim(this.attempt.id);
    }
  }

  private newClaim(rows: readonly CampaignRecipient[]): CampaignClaim {
    const { campaignId, projectId } = this.input;
    const { id: _id, worker, at } = this.attempt;
    const emails = rows.map(({ emailId }) => emailId);
    return {
      _id,
      projectId,
      campaignId,
      testMode: false,
      worker,
      at,
      emails,
      contacts: [],
      to: [],
      contents: [],
      month: null,
      begun: false,
    };
  }

  /** What is read here is read after the claim: who claimed before has left rows, and a cancel is seen. */
  private async sendClaimed(claim: CampaignClaim, rows: readonly CampaignRecipient[]): Promise<SliceResult> {
    const { campaignId, projectId } = this.input;
    const ours = new Set(claim.emails);
    const [campaign, project, there] = await Promise.all([
      findCampaign(projectId, campaignId),
      getProject(projectId),
      existingIds(claim.emails),
    ]);
    if (campaign?.status !== 'sending') return nothing('over');
    const held = heldBy(project, campaign);
    if (held) return nothing({ held });
    const asked = rows.filter(({ emailId }) => ours.has(emailId) && !there.has(emailId));
    const open = await judgeRecipients(this.tools.core, campaign, project, asked);
    const { sent, ends } = open.length === 0 ? nothing(null) : await this.sendOpen({ campaign, project }, open);
    return { sent, skipped: asked.length - open.length, ends };
  }

  private async sendOpen({ campaign, project }: Known, open: readonly Addressed[]): Promise<SliceResult> {
    const begun = await this.begin({ campaign, project }, open);
    this.begun = begun.mail.length > 0;
    if (begun.mail.length === 0) return nothing(begun.ends);
    if (!this.tools.engine.ready) {
      await this.tools.engine.untilDone('A slice was not given back', () => this.giveBack(begun.mail.length, begun.month));
      return nothing('stopped');
    }
    if (campaign.heldReason) await setHeldReason(campaign._id, null).catch(() => undefined);
    const charge = begun.month === null ? null : { month: begun.month, credits: 1 };
    const ready = await this.make({ campaign, project }, begun.mail, charge);
    const finished = await transmit(this.tools, ready, this.attempt);
    noteSlice(finished.length, this.attempt.at);
    noteOutcomes(finished);
    await recordSlice(this.tools, this.attempt, finished);
    return { sent: finished.length, skipped: 0, ends: begun.ends };
  }

  /** Takes credits and says, in the same transaction, which messages are sent: as many as limits leave. */
  private async begin(
    { campaign, project }: Known,
    open: readonly Addressed[],
  ): Promise<{ readonly mail: readonly Addressed[]; readonly month: string | null; readonly ends: SliceEnd | null }> {
    const mailOf = (count: number, month: string | null): ClaimedMail & { readonly testMode: boolean } => {
      const mail = open.slice(0, count);
      return {
        emails: mail.map(({ recipient }) => recipient.emailId),
        contacts: mail.map(({ contact }) => contact._id),
        to: mail.map(({ recipient }) => recipient.email),
        contents: oneOfAlike(mail.map(({ recipient }) => contentIdOf(campaign, this.variantOf(recipient)))),
        month,
        testMode: campaign.testMode,
      };
    };
    if (campaign.testMode) {
      const ours = await beginClaim(this.attempt.id, mailOf(open.length, null));
      return { mail: ours ? open : [], month: null, ends: ours ? null : 'stopped' };
    }
    const units = await takeUnits(this.tools.core, project, open.length);
    if (units === 0) return { mail: [], month: null, ends: { held: 'reputation_throttled' } };
    let charged: string | null = null;
    const { granted, refused } = await chargeCampaign(this.tools.core, project, units, async (session, count, month) => {
      charged = month;
      if (!(await beginClaim(this.attempt.id, mailOf(count, month), session))) throw new ClaimLost('The claim is gone');
    });
    const held = refused ?? 'reputation_throttled';
    return { mail: open.slice(0, granted), month: charged, ends: granted < open.length ? { held } : null };
  }

  /** Nothing was sent. */
  private async giveBack(count: number, month: string | null): Promise<void> {
    if (month === null) await endClaim(this.attempt.id);
    else await refundCampaign(this.input.projectId, month, count, (session) => endClaim(this.attempt.id, session));
  }

  private async make(
    { campaign, project }: Known,
    mail: readonly Addressed[],
    charge: { readonly month: string; readonly credits: number } | null,
  ): Promise<readonly ReadyMail[]> {
    const hosts = await hostsOf(this.tools.core, project, campaign);
    const made: Promise<ReadyMail>[] = [];
    for (const addressed of mail) {
      const contents = await contentsOf(contentIdOf(campaign, this.variantOf(addressed.recipient)));
      made.push(campaignMail(this.tools.core, { campaign, hosts }, addressed, contents, charge, this.attempt));
    }
    return Promise.all(made);
  }

  private variantOf({ variant }: CampaignRecipient): Variant {
    const { subject } = this.input;
    if (subject !== 'own') return subject;
    return variant === 'b' ? 'b' : 'a';
  }
}

/** Why a campaign waits, before its credits are looked at. A test campaign knows no limits. */
function heldBy(project: ProjectFacts, campaign: Campaign): string | null {
  if (project.disabledAt) return 'disabled';
  return !campaign.testMode && project.reputation.state === 'paused' ? 'reputation_paused' : null;
}

function contentIdOf({ contentIds }: Campaign, variant: Variant): string {
  const contentId = (variant === 'b' ? contentIds?.b : null) ?? contentIds?.a;
  if (!contentId) throw new Error('A campaign that is sent has a content');
  return contentId;
}

const oneOfAlike = (contents: readonly string[]): readonly string[] =>
  contents.every((content) => content === contents[0]) ? contents.slice(0, 1) : contents;

/** Some lanes work the slice off together, each message after message. */
async function transmit({ engine, lanesAtOnce }: SliceTools, mails: readonly ReadyMail[], attempt: Attempt): Promise<readonly Finished[]> {
  const finished: Finished[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    if (next >= mails.length) return;
    const lane = await engine.borrow();
    try {
      for (let mail = mails[next++]; mail; mail = mails[next++]) {
        const outcome = await lane.send(mail.email, CLOCK, mail.made);
        finished.push({ email: mail.email, attemptId: attempt.id, outcome });
      }
    } finally {
      engine.giveBack(lane);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanesAtOnce, mails.length) }, work));
  return finished;
}

const CLOCK = (): Date => new Date();
