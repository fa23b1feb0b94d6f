import type { ClientSession } from 'mongoose';
import type { EmailSource } from '../emails/model';
import { UsageModel } from './model';
import type { Usage } from './model';

/** The calendar month (UTC) that a message is charged to, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

const usageId = (projectId: string, month: string): string => `${projectId}/${month}`;

const NOTHING: Usage['categories'] = { transactional: 0, campaign: 0, workflow: 0, inbound: 0 };

/** What a project used in a month; zeros where nothing was counted yet. */
export async function readUsage(projectId: string, month: string, session?: ClientSession): Promise<Usage> {
  const _id = usageId(projectId, month);
  const row = await UsageModel.collection.findOne<Usage>({ _id } as never, session ? { session } : {});
  return { _id, used: row?.used ?? 0, credits: row?.credits ?? 0, categories: { ...NOTHING, ...row?.categories } };
}

/**
 * Adds what a transaction accepted, or gives back (negative) what it cancelled. A concurrent change of the same month aborts one of the two.
 * Inbound mail counts in its own category only.
 */
export async function addUsage(
  session: ClientSession,
  projectId: string,
  month: string,
  source: EmailSource,
  amount: { readonly messages: number; readonly credits: number },
): Promise<void> {
  if (amount.messages === 0) return;
  await UsageModel.collection.updateOne(
    { _id: usageId(projectId, month) } as never,
    {
      $inc: { ...(source !== 'inbound' && { used: amount.messages, credits: amount.credits }), [`categories.${source}`]: amount.messages },
    },
    { session, upsert: true },
  );
}
