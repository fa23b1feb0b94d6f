import type { ClientSession } from 'mongoose';
import type { SenderHosts } from '../domains';
import type { SendWindows } from '../../contracts/send-windows';
import type { AttachmentRef, Copied, Email, EmailType, InlineContent } from '../../records/emails';
import type { yielder } from '../../platform/async';
import type { AppError, RateState } from '../../platform/core';
import type { CompiledContent } from '../../message/template';
import type { Refusal } from '../../rules/refusal';
import type { MailTopic } from '../../rules/topics';
import type { SendOnce, Throttle } from '../../contracts/frequency-cap';
import type { TrackingWish } from '../../contracts/tracking';
import type { Translations } from '../../rules/translations';
import type { LimitDetail } from '../../rules/person-limits';

export interface Recipient {
  /** Normalized: lower case, domain in ASCII. */
  readonly email: string;
  readonly name: string | null;
}

interface SendAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  readonly cid?: string | undefined;
}

/** A message that came composed: its own bytes go out. */
export interface GivenMessage {
  /** The stored form, with `Message-ID` and `Date`. */
  readonly bytes: Buffer;
  readonly isEightBit: boolean;
  /** With its angle brackets. */
  readonly messageId: string;
  /** Its files, which are in the bytes. */
  readonly files: readonly { readonly filename: string; readonly contentType: string; readonly size: number }[];
}

/** A requested message that passed all checks that need only the request. */
export interface SendMessage {
  readonly to: readonly Recipient[];
  /** With `cc` or `bcc` it is one message for all: each recipient has their own envelope, and `to` and `cc` see each other. */
  readonly cc?: readonly Recipient[] | null;
  readonly bcc?: readonly Recipient[] | null;
  /** Whether `to` was an array, which decides the shape of the batch entry. */
  readonly toMany: boolean;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly previewText?: string | null;
  readonly templateId: string | null;
  /** For marketing mail only; the template's topic if it is absent or null. */
  readonly topicId?: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly from: string | null;
  readonly fromName: string | null;
  readonly replyTo: string | null;
  readonly replyToName?: string | null;
  readonly headers: readonly (readonly [string, string])[] | null;
  readonly attachments: readonly SendAttachment[];
  /** The message itself where it came composed: `subject`, `html` and `text` are what it says, and no templates. */
  readonly given?: GivenMessage;
  readonly sendAt: Date | null;
  readonly createContact: boolean;
  readonly type: EmailType | null;
  /**
   * Set when its author tries out a content: unresolved placeholders are listed, as for every test key, and an opt-out does not stop it.
   */
  readonly isTrial?: boolean;
  /** False: the content is not kept once the message is delivered or has failed. */
  readonly retainContent?: boolean;
  /** In the stored form; absent or null where there are none. */
  readonly tags?: readonly string[] | null;
  readonly tracking?: TrackingWish | null;
  /** When it may go out, if it is marketing mail; the project's windows if it is absent or null. */
  readonly windows?: SendWindows | null;
  /** Variants of its own content by language; those of a template are stored with it. */
  readonly variants?: Translations | null;
  /** The language of its recipients instead of that of each contact: null for the default content. */
  readonly locale?: string | null | undefined;
  /** Each recipient gets a message of the key once. */
  readonly sendOnce?: SendOnce | null;
  /** Each recipient gets a message of the key at most once in a time. */
  readonly throttle?: Throttle | null;
  /** It neither waits for a frequency cap nor counts in one. */
  readonly ignoresCaps?: boolean;
}

/** Returns a message to one address, at once, that brings no files, sets no headers and makes no contact. */
export const messageTo = (
  email: string,
  given: Omit<SendMessage, 'to' | 'toMany' | 'headers' | 'attachments' | 'sendAt' | 'createContact'>,
): SendMessage => ({
  ...given,
  to: [{ email, name: null }],
  toMany: false,
  headers: null,
  attachments: [],
  sendAt: null,
  createContact: false,
});

export interface SendRequest {
  /** `smtp` answers as `send` does, and has keys of its own. */
  readonly endpoint: 'send' | 'batch' | 'smtp';
  /** Whether one message that fails refuses the whole batch. In a single send it always does. */
  readonly allOrNothing?: boolean;
  readonly messages: readonly SendMessage[];
  /** The caller's key, and a hash of the canonical JSON of the body. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
  /** Called in the transaction that accepts it, with the messages that did not fail; nothing of the request is accepted where it throws. */
  readonly keep?: (session: ClientSession, drafts: readonly Draft[]) => Promise<void>;
}

type SkipReason =
  | 'suppressed'
  | 'unsubscribed'
  | 'limit_reached'
  | 'reputation_paused'
  | 'disabled'
  | 'free_tier_exceeded'
  | 'plan_quota_exceeded';

/** Why a recipient gets nothing; with what stops this message, where the recipient gets others. */
export interface Skipped {
  readonly skipped: SkipReason;
  readonly detail?: Refusal['detail'] | LimitDetail;
}

interface Unresolved {
  /** Placeholders of a test that resolved to nothing, where there are any. */
  readonly unresolvedPlaceholders?: readonly string[];
}

export type SendResult =
  | ({ readonly id: string; readonly to: string; readonly status: 'sent' | 'scheduled' | 'queued' } & Unresolved)
  | ({ readonly to: string } & Skipped);

export interface EntryError {
  readonly error: { readonly code: string; readonly message: string; readonly details?: AppError['details'] };
}

/** Outcomes for the `cc` and `bcc` recipients of a message, where there are some. */
export interface CopyResults {
  readonly cc?: readonly SendResult[];
  readonly bcc?: readonly SendResult[];
}

/** The outcome of a message. */
export interface Entry extends CopyResults {
  readonly results: readonly SendResult[];
}

export type BatchEntry = (SendResult & CopyResults) | Entry | EntryError;

export interface SendReply extends CopyResults {
  readonly results: readonly BatchEntry[];
  readonly testMode: boolean;
  readonly replay?: true;
}

export interface SendOutcome {
  readonly reply: SendReply;
  /** The state of the project's send bucket after the request, for the RateLimit headers. */
  readonly rate: RateState;
}

/** One recipient of a draft, rendered. */
export interface PreparedRecipient {
  readonly email: string;
  readonly name: string | null;
  readonly contactId: string;
  /** When it goes out: the time that was asked for, or the next opening of its window; null for at once. */
  readonly sendAt: Date | null;
  /** Returns the first time from an instant on at which its window is open; absent for mail that may go at any time. */
  readonly opensFrom?: ((at: Date) => Date) | undefined;
  /** There is no contact yet, and the message creates one. */
  readonly createsContact: boolean;
  readonly contactExists: boolean;
  /** Rendered again for the row, if the content has subjects of its own. */
  readonly subject: string;
  readonly values: string;
  readonly copied?: Copied | undefined;
  /** Set for a message with copies. */
  readonly messageId?: string | undefined;
  /** The content in the recipient's language; absent for the draft's own. */
  readonly own?: DraftContent | undefined;
  /** The placeholders that resolve to nothing; filled for tests only. */
  readonly unresolved: readonly string[];
  /** Why the recipient's own state forbids sending, if it does. */
  readonly refused: Refusal | null;
}

/** The content of a message in one language. */
export interface DraftContent {
  readonly source: InlineContent;
  readonly content: CompiledContent;
  readonly contentHash: string;
  readonly fromName: string | null;
}

/** A message with its template and sender resolved; then also rendered for each recipient, so that it may be queued. */
export interface Draft extends DraftContent {
  readonly message: SendMessage;
  /** Returns the content for a locale, made once; undefined for the draft's own. Absent where there are no variants. */
  readonly contentIn?: ((locale: string | null) => DraftContent | undefined) | undefined;
  readonly type: EmailType;
  /** Null of mail without one. */
  readonly topic: MailTopic | null;
  readonly untracked: Email['untracked'];
  /** Null for mail that may go at any time. */
  readonly windows: SendWindows | null;
  readonly fromEmail: string;
  readonly hosts: SenderHosts;
  /** In the order of `message.to`; an address given twice appears once. None before it is rendered. */
  readonly recipients: readonly PreparedRecipient[];
  readonly attachmentRefs: readonly AttachmentRef[];
  /** Id of content that is stored separately, for all messages that share it. */
  readonly contentId: string | null;
}

/** A step's result for one message; a message that fails alone goes no further. */
export type Result<T> = { readonly ok: T } | { readonly failed: AppError };

/** Lets other requests continue during work on a large one. */
export type YieldWhenDue = ReturnType<typeof yielder>;
