import type { Contact } from '../../audience/contacts';
import { invalidState, notFound } from '../../platform/core';
import type { Context } from '../../platform/core';
import { findEmail } from '../../records/emails';
import { judgeMessage } from '../../rules/certificate';
import { passing, recipientChecks, recordedFacts, recordedAtSendTime } from '../../rules/why';
import type { Check } from '../../rules/why';
import { languageChooser } from '../../rules/translations';
import { REPORTED_WITHIN_MS } from '../../sending/deliver';
import { findCampaign, findRecipient, languagesByContent } from '../campaigns';
import type { Campaign, StandingRecipient } from '../campaigns';
import { answerOf, asOfNow, attemptsOf, judgedAt } from './answer';
import type { Judgement, Why } from './answer';
import { audienceNow, projectNow, recipientNow } from './facts';
import { messageChecks } from './message';

/** The person who is asked about: the contact is null once it was deleted. */
export interface Person {
  readonly contactId: string;
  readonly contact: Contact | null;
}

const SELECTED: Check = { check: 'audience', selected: true };

/** Answers why a person got a campaign, gets it, or does not. Throws `not_found`, and `invalid_state` once its audience is not kept any longer. */
export async function whyCampaign(ctx: Context, person: Person, id: string): Promise<Why> {
  const campaign = await findCampaign(ctx.projectId, id);
  if (!campaign) throw notFound('Campaign');
  const recipient = campaign.startedAt ? await findRecipient(campaign, person.contactId) : null;
  const why = await answerFor(ctx, campaign, person, recipient);
  if (!campaign.variants) return why;
  const language = recipient?.message ? languagesByContent(campaign).get(recipient.message.contentId ?? '') : languageNow(campaign, person);
  return { ...why, language: language ?? null };
}

const languageNow = ({ variants }: Campaign, { contact }: Person): string | null =>
  languageChooser(Object.keys(variants ?? {}))(contact?.locale ?? null);

async function answerFor(ctx: Context, campaign: Campaign, person: Person, recipient: StandingRecipient | null): Promise<Why> {
  if (recipient?.message) return sent(ctx, campaign, recipient);
  if (recipient?.status === 'skipped') return skipped(campaign, recipient);
  if (recipient) return pending(ctx, campaign, person);
  if (campaign.audienceRemovedAt) throw invalidState('The audience of this campaign is no longer stored');
  return withoutRow(ctx, campaign, person);
}

const topicIdOf = ({ topic }: Campaign): string | null => topic?.topicId ?? null;

async function sent(ctx: Context, campaign: Campaign, { row, message }: StandingRecipient): Promise<Why> {
  const email = await findEmail(ctx.projectId, row.emailId);
  const at = email?.createdAt ?? null;
  const judgements = [
    ...judgedAt(campaign.startedAt, [SELECTED]),
    ...judgedAt(at, recipientChecks(passing(true, topicIdOf(campaign), at ?? new Date()))),
    ...(email ? messageChecks(email) : []),
  ];
  const { outcome, reason } = judgeMessage(message ?? { status: 'sending', attempts: 1 }, REPORTED_WITHIN_MS);
  const why = answerOf(judgements, { stopped: () => outcome, passed: outcome, attempts: email && attemptsOf(email) });
  return { ...why, reason: why.reason ?? reason };
}

function skipped(campaign: Campaign, { row, skipReason, skipDetail }: StandingRecipient): Why {
  const reason = skipReason ?? 'cancelled';
  const at = row.judged?.at ?? null;
  const because = { reason, ...(skipDetail && { detail: skipDetail }) };
  const own = [
    ...recipientChecks(recordedFacts(because, recordedOf(row), topicIdOf(campaign), at ?? row.createdAt)),
    ...recordedAtSendTime(because),
  ];
  const atSendTime: readonly Check[] = [
    { check: 'campaign', cancelled: reason === 'cancelled' },
    { check: 'restore', mayHaveBeenSent: reason === 'restored' },
    { check: 'contact', exists: reason !== 'deleted' },
  ];
  const judgements = [...judgedAt(campaign.startedAt, [SELECTED]), ...judgedAt(at, [...atSendTime, ...own])];
  return answerOf(judgements, { stopped: () => 'skipped', passed: 'skipped' });
}

const recordedOf = ({ judged }: StandingRecipient['row']) =>
  judged ? { suppression: judged.suppression, subscribed: judged.subscribed } : null;

async function pending(ctx: Context, campaign: Campaign, { contact }: Person): Promise<Why> {
  const now = new Date();
  const heldReason = campaign.paused ? 'paused' : campaign.heldReason;
  const own = contact ? await recipientNow(ctx, contact, campaign.topic, now) : [];
  const judgements = [
    ...judgedAt(campaign.startedAt, [SELECTED]),
    ...asOfNow(now, [{ check: 'contact', exists: contact !== null }, ...own, { check: 'hold', heldReason }]),
  ];
  return answerOf(judgements, { stopped: () => 'pending', passed: 'pending' });
}

const isBefore = ({ status, phase }: Campaign): boolean =>
  status === 'draft' || status === 'scheduled' || (status === 'sending' && phase !== 'frozen');

/** Answers for who is not in a frozen audience: before the launch, what would happen; afterwards, what of it can be seen now. */
async function withoutRow(ctx: Context, campaign: Campaign, { contact }: Person): Promise<Why> {
  if (!contact) throw notFound('Contact');
  const now = new Date();
  const checks: readonly Check[] = [
    { check: 'project', disabled: ctx.project.disabledAt !== null },
    await audienceNow(ctx, campaign, contact, now),
    ...(await recipientNow(ctx, contact, campaign.topic, now)),
  ];
  if (!isBefore(campaign)) {
    const why = answerOf(asOfNow(now, checks), { stopped: () => 'not_in_audience', passed: 'not_in_audience' });
    return { ...why, reason: why.reason ?? 'changed_since' };
  }
  const judgements: readonly Judgement[] = asOfNow(now, [...checks, ...(await projectNow(ctx, campaign.fromEmail, now))]);
  const stopped = (reason: string) => (reason === 'not_in_audience' ? 'not_in_audience' : 'would_skip');
  return answerOf(judgements, { stopped, passed: 'would_send' });
}
