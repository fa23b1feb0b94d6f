/** Ends in `_id`, so that the pump passes over messages that it has already without a check them. */
export const DUE_INDEX = { shard: 1, projectId: 1, priority: 1, dueAt: 1, _id: 1 } as const;

/** Index of mail that waits for a retry. */
export const DEFERRED_INDEX = { status: 1, dueAt: 1, attempts: 1, projectId: 1, _id: 1 } as const;

/** Index of campaign mail that was not sent. */
export const OPEN_INDEX = { campaignId: 1, status: 1 } as const;

/** Rare outcomes of a project's mail: searches read these, and not all that arrived. */
export const TROUBLES = ['bounced', 'complained', 'failed', 'cancelled'] as const;

/** Index of mail with one of those outcomes, by age. */
export const TROUBLE_INDEX = { projectId: 1, status: 1, createdAt: -1, _id: -1 } as const;

/** Index of a project's mail by age, with whether its rows hold that they were queued. */
export const AGE_INDEX = { projectId: 1, createdAt: -1, _id: -1, holdsQueued: 1 } as const;

/** Index of mail to an address, except for campaigns. */
export const TO_INDEX = 'to_newest';

/** Index of messages to several people who see each other, by those people. */
export const COPIES_INDEX = 'copied_people';

/** Index of a contact's mail, newest first, except for campaigns. */
export const CONTACT_INDEX = { projectId: 1, contactId: 1, createdAt: -1, _id: -1 } as const;

/** Index of campaign mail that something happened to, by the contact that its `_id` names: opens newest first, and all else that conditions ask. */
export const OUTCOME_INDEX = {
  projectId: 1,
  'recipient.contactId': 1,
  openedAt: -1,
  clickedAt: -1,
  bouncedAt: -1,
  complainedAt: -1,
  testMode: 1,
} as const;

/** Index of a campaign's mail, and of an automation's, newest first. */
export const CAMPAIGN_INDEX = { projectId: 1, campaignId: 1, createdAt: -1, _id: -1 } as const;
export const WORKFLOW_INDEX = { projectId: 1, workflowId: 1, createdAt: -1, _id: -1 } as const;

/** Indexes of mail that waits for its time, soonest first: of a contact, and of an automation. */
export const WAITING_INDEXES = {
  contactId: { projectId: 1, contactId: 1, scheduledFor: 1, _id: 1 },
  workflowId: { projectId: 1, workflowId: 1, scheduledFor: 1, _id: 1 },
} as const;

/** Index of mail that is being sent. */
export const WIRE_INDEX = { 'attempt.worker': 1 } as const;

/** Index of mail whose rows hold its outcome, newest first, with all that is counted of it. */
export const HISTORY_INDEX = { projectId: 1, holds: 1, sentAt: -1, _id: -1, source: 1, recordedAt: 1 } as const;

/** Index of the few of these rows that were recorded long after their instants. */
export const LATE_INDEX = { projectId: 1, recordedAt: 1 } as const;

/** Index of single mail with a reply address of its own. */
export const REPLY_INDEX = { projectId: 1, replyTo: 1 } as const;

/** Index of mail with a tag, newest first. */
export const TAG_INDEX = { projectId: 1, tags: 1, createdAt: -1, _id: -1 } as const;

/** Indexes of received mail, so that its lists skip none that was sent. */
export const INBOUND_INDEXES = {
  all: { projectId: 1, source: 1, createdAt: -1, _id: -1 },
  to: { projectId: 1, source: 1, to: 1, createdAt: -1, _id: -1 },
  fromEmail: { projectId: 1, source: 1, fromEmail: 1, createdAt: -1, _id: -1 },
} as const;
