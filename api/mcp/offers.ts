import type { Asked } from '../http/perform';

/** The effect of a call that is no GET. `again`: repeated, it changes nothing more; `removes`: it removes or ends something for good. */
type Effect = 'nothing' | 'adds' | 'again' | 'removes';

/** The terms on which agents may call an operation that is no GET. */
export interface Offer {
  readonly effect: Effect;
  /** Members that only a person may give. */
  readonly without?: readonly string[];
  /** Returns what in a request is too much for an agent; null where nothing is. */
  readonly tooMuch?: (body: Readonly<Record<string, unknown>>) => string | null;
  /** A sentence about these terms, for its description. */
  readonly limits?: string;
  /** Returns whether a person has to approve a request: it is not carried out, and the answer is the approval. */
  readonly proposes?: (body: Readonly<Record<string, unknown>>) => boolean;
  /** Arguments that another tool describes in full, by the name of that tool. */
  readonly as?: Readonly<Record<string, string>>;
  /** The operation that reads the resource, and the state of it in which an agent may change it. */
  readonly onlyIn?: { readonly read: string; readonly state: string };
}

const NOTHING: Offer = { effect: 'nothing' };
const ADDS: Offer = { effect: 'adds' };
const AGAIN: Offer = { effect: 'again' };
const REMOVES: Offer = { effect: 'removes' };

const PROPOSED =
  'As a tool, it does not do this: it requests the approval of a person, and answers with that. Ask the person to open its `link`, and follow its `state` with getApproval.';

const ONLY_DRAFTS = 'As a tool, it changes drafts only.';

const GRAPH = { graph: 'checkWorkflow' };

const several = (value: unknown): boolean => Array.isArray(value) && value.length > 1;

const oneRecipient = ({ to }: Readonly<Record<string, unknown>>): string | null =>
  several(to) ? 'A message to more than one recipient' : null;

const oneMember = ({ emails }: Readonly<Record<string, unknown>>): string | null => (several(emails) ? 'More than one contact' : null);

// Turning an opt-out back is the person's own decision, or that of somebody who knows it.
const noResubscribing = ({ subscribed }: Readonly<Record<string, unknown>>): string | null =>
  subscribed === true ? 'Subscribing somebody who may have opted out' : null;

/**
 * The operations other than GET that agents may call. All others are for people: what they do reaches more than one person, changes what
 * is live, costs money, or shows a secret.
 */
const OFFERS: Readonly<Record<string, Offer>> = {
  send: { effect: 'adds', without: ['cc', 'bcc'], tooMuch: oneRecipient, limits: 'As a tool, it takes one recipient.' },
  sendBatch: { effect: 'adds', as: { messages: 'send' }, proposes: () => true, limits: PROPOSED },
  cancelEmail: REMOVES,
  rescheduleEmail: AGAIN,
  ingestEvent: ADDS,
  importContacts: { effect: 'adds', proposes: () => true, limits: PROPOSED },
  upsertContact: { effect: 'again', tooMuch: noResubscribing, limits: 'As a tool, it does not take `subscribed: true`.' },
  deleteContact: REMOVES,
  createTemplate: ADDS,
  duplicateTemplate: ADDS,
  previewTemplate: NOTHING,
  renderBlocks: NOTHING,
  testSendTemplate: ADDS,
  createSegment: ADDS,
  previewSegment: NOTHING,
  addSegmentMembers: { effect: 'again', tooMuch: oneMember, limits: 'As a tool, it takes one address.' },
  removeSegmentMember: REMOVES,
  createCampaign: ADDS,
  updateCampaign: { effect: 'again', onlyIn: { read: 'getCampaign', state: 'draft' }, limits: ONLY_DRAFTS },
  duplicateCampaign: ADDS,
  deleteCampaign: REMOVES,
  countAudience: NOTHING,
  breakDownAudience: NOTHING,
  planCampaign: NOTHING,
  sendCampaign: { effect: 'adds', without: ['force', 'forceReason'], proposes: () => true, limits: PROPOSED },
  rejectApproval: REMOVES,
  testSendCampaign: ADDS,
  pauseCampaign: AGAIN,
  unscheduleCampaign: AGAIN,
  cancelCampaign: REMOVES,
  createWorkflow: { effect: 'adds', as: GRAPH },
  updateWorkflow: {
    effect: 'again',
    as: GRAPH,
    proposes: ({ status }) => status === 'active',
    onlyIn: { read: 'getWorkflow', state: 'draft' },
    limits: `${ONLY_DRAFTS} \`status: "active"\`, alone, requests the approval of a person instead: ask them to open its \`link\`, and follow its \`state\` with getApproval.`,
  },
  duplicateWorkflow: ADDS,
  checkWorkflow: NOTHING,
  rehearseWorkflow: NOTHING,
  enrollContact: ADDS,
  cancelExecution: REMOVES,
  createSuppression: AGAIN,
  deleteSuppression: { effect: 'removes', proposes: () => true, limits: PROPOSED },
  verifyDomain: AGAIN,
  verifyAddress: NOTHING,
};

/** Returns how an operation that is no GET is offered; undefined for those that only people may call. */
export const offerOf = (operationId: string): Offer | undefined => (Object.hasOwn(OFFERS, operationId) ? OFFERS[operationId] : undefined);

/** Returns the refusal of what agents may not do. */
export const forPeople = (what: string): string => `${what} is not for agents. A person does this in the console`;

/** Returns what an offer forbids of a request; null if it is allowed. */
export function refusedIn({ without = [], tooMuch }: Offer, { body }: Asked): string | null {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>;
  const given = without.find((name) => members[name] !== undefined);
  return given === undefined ? (tooMuch?.(members) ?? null) : `The member ${given}`;
}

/** Groups whose answers hold texts that others wrote: contacts, senders, clients of forms, servers. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set([
  'consent',
  'contacts',
  'emails',
  'events',
  'inbound',
  'smtp-sessions',
  'suppressions',
  'upcoming',
]);

const ALSO_FROM_OUTSIDE: ReadonlySet<string> = new Set([
  'getCampaignFeed',
  'getCampaignTimeline',
  'getDomainReports',
  'getExecution',
  'listCampaignRecipients',
  'listDeliveries',
  'listProviders',
  'listExecutions',
  'listSegmentMembers',
  'planCampaign',
  'preflightCampaign',
  'previewSegment',
  'previewTemplate',
  'rehearseWorkflow',
]);

/** Returns whether the answers of an operation hold what others wrote. */
export const isFromOutside = (group: string, operationId: string): boolean => FROM_OUTSIDE.has(group) || ALSO_FROM_OUTSIDE.has(operationId);
