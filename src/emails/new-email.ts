import type { Email } from './model';

/** What a row of the ledger does not say. */
export const UNSAID = {
  toName: null,
  fromName: null,
  replyTo: null,
  headers: null,
  contactId: null,
  templateId: null,
  campaignId: null,
  workflowId: null,
  contentId: null,
  inline: null,
  attachments: [],
  charge: null,
  scheduledFor: null,
  sentAt: null,
  deliveredAt: null,
  openedAt: null,
  clickedAt: null,
  bouncedAt: null,
  complainedAt: null,
  bounceType: null,
  error: null,
  providerMessageId: null,
} as const satisfies Partial<Email>;

/** What every message begins with: nothing has been done with it. */
export const UNTOUCHED = { ...UNSAID, attempts: 0, opens: 0, clicks: 0 } as const satisfies Partial<Email>;

/** Which of a project's messages goes first when several are due: campaigns and automations wait behind its other mail. */
export const PRIORITY_OF = { transactional: 0, bulk: 1 } as const;
