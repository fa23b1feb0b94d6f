import { Readable } from 'node:stream';
import { sha256, invalidState, notFound } from '../../platform/core';
import type { Context } from '../../platform/core';
import { Certificate, judgeMessage, versionGroup } from '../../rules/certificate';
import type { CertificateFigures, CertifiedRecipient, ChainEnd, Group } from '../../rules/certificate';
import { REPORTED_WITHIN_MS } from '../../sending/deliver';
import { countRecipients, findCampaign, standingPages } from '../campaigns';
import type { Campaign, StandingRecipient } from '../campaigns';
import { messageFacts, wasTried } from '../../records/emails';
import type { CampaignMessage } from '../../records/emails';
import { executionsBetween, getAutomation } from '../automations';
import type { EnrolledExecution, Span, Step } from '../automations';

/** The recipients that a certificate is about. */
export interface CertificateSource {
  readonly group: Group;
  /** Whether no recipient is added any more; asked after the pages were read. */
  readonly isOver: () => boolean;
  /** Reads all recipients once, page by page, in an order that never changes. */
  readonly pages: () => AsyncIterable<readonly CertifiedRecipient[]>;
}

/** A certificate with its figures. */
export interface Certified {
  readonly figures: CertificateFigures;
  readonly asOf: Date;
  /** Whether nothing is left to happen. */
  readonly final: boolean;
  /** When it is final, if nothing bounces until then; null while that is not known. */
  readonly finalAt: Date | null;
  readonly chain: ChainEnd;
}

/** Resolves to a certificate. Figures and chain are of one pass over all recipients, each of whom is in one figure, so that the sums add up at any instant. */
export async function certificateOf({ group, isOver, pages }: CertificateSource): Promise<Certified> {
  const asOf = new Date();
  const certificate = new Certificate(group, sha256);
  for await (const page of pages()) for (const recipient of page) certificate.add(recipient);
  const { figures, end, openUntil } = certificate;
  const isOpen = !isOver() || figures.pending > 0 || openUntil === 'without_end';
  const finalAt = isOpen ? null : (openUntil ?? asOf);
  return { figures, asOf, final: finalAt !== null && finalAt <= asOf, finalAt, chain: end };
}

/** Returns the lines of a certificate as CSV, read page by page as they are taken. */
export const streamCertificate = (source: CertificateSource): Readable => Readable.from(lines(source), { objectMode: false });

async function* lines({ group, pages }: CertificateSource): AsyncGenerator<string> {
  const certificate = new Certificate(group, sha256);
  yield certificate.header;
  for await (const page of pages()) if (page.length > 0) yield page.map((recipient) => certificate.add(recipient)).join('');
}

/** Resolves to the frozen audience of a campaign. Throws `not_found`, and `invalid_state` once its audience is not kept any longer. */
export async function campaignSource({ projectId }: Pick<Context, 'projectId'>, id: string): Promise<CertificateSource> {
  const campaign = await findCampaign(projectId, id);
  if (!campaign) throw notFound('Campaign');
  const isOver = hasEnded(campaign);
  // Retention removes an audience in steps: a part of it would be a wrong certificate.
  if (campaign.audienceRemovedAt || (isOver && (await countRecipients(campaign)) < campaign.audienceSize)) {
    throw invalidState('The audience of this campaign is no longer stored, so it cannot be certified');
  }
  return { group: 'contentVersion', isOver: () => isOver, pages: () => certified(campaign) };
}

const hasEnded = ({ status, phase }: Campaign): boolean => status === 'sent' || (status === 'cancelled' && phase === null);

async function* certified(campaign: Campaign): AsyncGenerator<readonly CertifiedRecipient[]> {
  for await (const page of standingPages(campaign)) yield page.map(recipientOf);
}

function recipientOf({ row, id, message, status, skipReason }: StandingRecipient): CertifiedRecipient {
  const common = { recipientId: id, contactId: row.contactId };
  if (message === null) {
    const outcome = status === 'skipped' ? 'skipped' : 'pending';
    return { ...common, emailId: null, outcome, reason: skipReason, group: null, attempts: 0, sentAt: null, open: null };
  }
  const { attempts, sentAt = null } = message;
  return {
    ...common,
    emailId: row.emailId,
    group: versionGroup(message),
    attempts,
    sentAt,
    ...judgeMessage(message, REPORTED_WITHIN_MS),
  };
}

/**
 * Resolves to what the `send_email` nodes of an automation did for the contacts that were enrolled in a span: one recipient for each node that a contact
 * reached. Throws `not_found`.
 */
export async function automationSource(ctx: Context, id: string, span: Span): Promise<CertificateSource> {
  await getAutomation(ctx, id);
  const isPast = span.to !== null && span.to.getTime() < Date.now();
  let underWay = 0;
  async function* pages(): AsyncGenerator<readonly CertifiedRecipient[]> {
    for await (const executions of executionsBetween(ctx, id, span)) {
      underWay += executions.filter(({ finishedAt }) => finishedAt === null).length;
      yield await certifiedNodes(ctx, executions);
    }
  }
  // A contact that is under way may reach further nodes.
  return { group: 'nodeId', pages, isOver: () => isPast && underWay === 0 };
}

interface Reached {
  readonly execution: Pick<EnrolledExecution, '_id' | 'contactId'>;
  readonly step: Step;
  readonly emailId: string | null;
}

async function certifiedNodes(ctx: Context, executions: readonly EnrolledExecution[]): Promise<readonly CertifiedRecipient[]> {
  const reached = executions.flatMap(nodesReached);
  const emailIds = reached.flatMap(({ emailId }) => emailId ?? []);
  const messages = await messageFacts(ctx.projectId, emailIds);
  return reached.map((one) => certifiedNode(one, messages.get(one.emailId ?? '')));
}

const nodesReached = ({ steps, ...execution }: EnrolledExecution): readonly Reached[] =>
  steps.filter(({ type }) => type === 'send_email').map((step) => ({ execution, step, emailId: textOf(step.output?.['emailId']) }));

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function certifiedNode({ execution, step, emailId }: Reached, message: CampaignMessage | undefined): CertifiedRecipient {
  const common = { recipientId: `${execution._id}/${step.nodeId}`, contactId: execution.contactId, group: step.nodeId };
  const without = { ...common, emailId, group: null, attempts: 0, sentAt: null, open: null };
  if (emailId === null) return { ...without, ...standingOf(step) };
  // Retention removes messages by their age.
  if (!message) return { ...without, group: step.nodeId, outcome: 'in_doubt', reason: 'not_kept' };
  if (!wasTried(message)) {
    return message.status === 'cancelled'
      ? { ...without, outcome: 'skipped', reason: 'cancelled' }
      : { ...without, outcome: 'pending', reason: null };
  }
  const { attempts, sentAt = null } = message;
  return { ...common, emailId, attempts, sentAt, ...judgeMessage(message, REPORTED_WITHIN_MS) };
}

function standingOf({ status, output }: Step): Pick<CertifiedRecipient, 'outcome' | 'reason'> {
  if (status === 'running' || status === 'waiting') return { outcome: 'pending', reason: null };
  if (status === 'failed') return { outcome: 'skipped', reason: 'send_failed' };
  return { outcome: 'skipped', reason: textOf(output?.['skipped']) };
}
