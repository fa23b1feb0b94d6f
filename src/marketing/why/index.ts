import { contactIdOf, findContact } from '../../audience/contacts';
import type { Context } from '../../platform/core';
import type { Why } from './answer';
import { whyCampaign } from './campaign';
import { whyEmail, whyWorkflow } from './message';

export type { Why } from './answer';

/** Names the subject of the question: one of the three. */
interface Asked {
  readonly campaignId?: string | undefined;
  readonly workflowId?: string | undefined;
  readonly emailId?: string | undefined;
}

/** Answers why a person, named by a contact's id or an address, got something, or did not. Throws `not_found`, `invalid_state`. */
export async function whyOf(ctx: Context, which: string, { campaignId, workflowId, emailId }: Asked): Promise<Why> {
  const contactId = contactIdOf(ctx, which);
  if (emailId !== undefined) return whyEmail(ctx, contactId, emailId);
  const person = { contactId, contact: (await findContact(ctx.projectId, contactId)) ?? null };
  return campaignId === undefined ? whyWorkflow(ctx, person, workflowId ?? '') : whyCampaign(ctx, person, campaignId);
}
