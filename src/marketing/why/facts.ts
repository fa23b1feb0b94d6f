import type { Contact } from '../../audience/contacts';
import { getSegment, membersAmong } from '../../audience/segments';
import { domainOf } from '../../platform/addresses';
import type { Context } from '../../platform/core';
import { monthOf, quotaFacts, readUsage } from '../../records/billing';
import { suppressionsOfContacts } from '../../records/suppressions';
import type { StoredTree } from '../../rules/automation/graph';
import { judgeQuota } from '../../rules/quota';
import { isInTopic } from '../../rules/topics';
import type { MailTopic } from '../../rules/topics';
import { recipientChecks } from '../../rules/why';
import type { Check, ConditionAnswer } from '../../rules/why';
import { sendersOf } from '../../sending/domains';
import { evaluateFor } from '../automations';
import type { Campaign } from '../campaigns';

/** Asks for a contact's own state as it is now. */
export async function recipientNow(
  { projectId }: Pick<Context, 'projectId'>,
  contact: Contact,
  topic: MailTopic | null | undefined,
  now: Date,
): Promise<readonly Check[]> {
  const suppression = (await suppressionsOfContacts(projectId, [contact._id])).get(contact._id)?.reason ?? null;
  const { subscribed, snoozedUntil } = contact;
  return recipientChecks({
    marketing: true,
    suppression,
    subscribed,
    topicId: topic?.topicId ?? null,
    inTopic: topic ? isInTopic(topic, contact) : true,
    snoozedUntil: snoozedUntil ? snoozedUntil.toISOString() : null,
    judgedAt: now.toISOString(),
  });
}

/** Asks whether the project may send at all, as it is now: reputation, limits, and the domain of the sender. */
export async function projectNow(ctx: Context, fromEmail: string, now: Date): Promise<readonly Check[]> {
  const { core, project, projectId, testMode } = ctx;
  const usage = await readUsage(projectId, monthOf(now));
  const reached = testMode ? null : judgeQuota(quotaFacts(core.config, project), usage, 'campaign', 1);
  const domain = domainOf(fromEmail);
  return [
    { check: 'reputation', state: project.reputation.state },
    { check: 'limits', reached },
    { check: 'domain', domain, verified: testMode || (await sendersOf(core, project)).has(domain) },
  ];
}

/** Asks whether the audience of a campaign names a contact, as both are now, and which of its conditions hold. */
export async function audienceNow(ctx: Context, campaign: Campaign, contact: Contact, now: Date): Promise<Check> {
  const { audience, filter, segmentId, startedAt } = campaign;
  const isLater = startedAt !== null && contact.createdAt > startedAt;
  if (audience === 'filter') {
    const { matched, conditions } = await matching(ctx, contact._id, filter as unknown as StoredTree, now);
    return { check: 'audience', selected: matched && !isLater, conditions };
  }
  if (audience === 'all') return { check: 'audience', selected: !isLater };
  const isMember = (await membersAmong(ctx.projectId, segmentId ?? '', [contact._id])).has(contact._id);
  const tree = await conditionsOf(ctx, segmentId ?? '');
  const conditions = tree && (await matching(ctx, contact._id, tree, now)).conditions;
  return { check: 'audience', selected: isMember && !isLater, ...(conditions && { conditions }) };
}

/** Reads the conditions of a segment; null where it has none, or is not there any more. */
const conditionsOf = async (ctx: Context, segmentId: string): Promise<StoredTree | null> =>
  ((await getSegment(ctx, segmentId).catch(() => null))?.conditions ?? null) as StoredTree | null;

interface Matching {
  readonly matched: boolean;
  readonly conditions: readonly ConditionAnswer[];
}

/** Evaluates a tree for a contact as it is now: as a whole, and each condition alone. */
export async function matching(
  { projectId }: Pick<Context, 'projectId'>,
  contactId: string,
  tree: StoredTree,
  now: Date,
  trigger: Readonly<Record<string, unknown>> = {},
): Promise<Matching> {
  const conditions = filtersOf(tree);
  const single = conditions.map((filter): StoredTree => ({ logic: 'and', groups: [{ filters: [filter] }] }) as unknown as StoredTree);
  const judged = await evaluateFor(projectId, contactId, [tree, ...single], { trigger }, now);
  const [matched = false, ...each] = judged?.holds ?? [];
  return { matched, conditions: conditions.map((condition, at) => ({ condition, matched: each[at] ?? false })) };
}

interface StoredGroup {
  readonly filters: readonly unknown[];
  readonly conditions?: StoredTree;
}

const filtersOf = (tree: StoredTree): readonly unknown[] =>
  (tree.groups as readonly StoredGroup[]).flatMap(({ filters, conditions }) => [...filters, ...(conditions ? filtersOf(conditions) : [])]);
