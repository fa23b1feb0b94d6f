import type { FooterBrand, Values } from '../../message/template';
import type { Strings } from '../../rules/strings';
import type { Authentication } from '../../rules/authentication';
import type { SendWindows } from '../../contracts/send-windows';
import type { PersonLimit } from '../../rules/person-limits';

/** Template text as it was accepted; rendered again, with `values`, wherever the message is needed. */
export interface InlineContent {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly previewText: string | null;
  /** Absent where its footer names nobody. */
  readonly brand?: FooterBrand | null;
  /** True of mail that came composed: its texts are no templates. */
  readonly verbatim?: boolean;
  /** Values that all its messages share; absent where each one has its own. */
  readonly constants?: Values | null;
  /** The language of a variant (BCP 47); absent of a default. */
  readonly language?: string | null;
  /** The project's strings that it reads, as they were; absent where it reads none. */
  readonly strings?: Strings | null;
}

export interface AttachmentRef {
  readonly filename: string;
  readonly contentType: string;
  /** Content id by which the HTML shows it: `<img src="cid:…">`. */
  readonly cid?: string | undefined;
  /** Bytes after decoding. */
  readonly size: number;
  /** Null of an attachment that came in and was too large to be kept, and of one that is kept no longer. */
  readonly blobId: string | null;
  /** Encrypts the bytes of a message whose content is removed at its end: without the key they cannot be read. */
  readonly key?: string;
  /** Set of the message itself, where it came composed: the bytes that go out, and whether they need 8BITMIME. */
  readonly given?: '7bit' | '8bit';
}

/** The worker that sends the message. Kept after a taken-over lease, so that a late record can still settle it. */
export interface Attempt {
  readonly id: string;
  readonly worker: string;
  readonly at: Date;
  /** Its worker was lost: nobody knows what the server answered. */
  readonly lost?: true;
}

/** The transport of a message's last attempt, where the operator has several. */
export interface MailTransport {
  readonly name: string;
  /** Its server may have the message: no other one is tried. */
  readonly inDoubt?: true;
}

/**
 * The recipient of a campaign's message, instead of `to` and `contactId`: those are in indexes, where random values make each message
 * costlier the more there are. The message's id is a function of campaign and contact (`campaignMailId`).
 */
export interface Recipient {
  readonly to: string;
  /** Null when the contact is gone. */
  readonly contactId: string | null;
}

/** One envelope of a message to several people who see each other. */
export interface Copied {
  /** The header in which its recipient is named. */
  readonly as: 'to' | 'cc' | 'bcc';
  /** The people in the headers. */
  readonly to: readonly NamedAddress[];
  readonly cc: readonly NamedAddress[];
  /** The contacts that those have or would have. */
  readonly people: readonly string[];
  /** The one of them whom the words were rendered for; absent once that person is erased. */
  readonly words?: string | undefined;
}

interface NamedAddress {
  readonly address: string;
  readonly name: string | null;
}

/** Facts of received mail: the messages that it answers, and its origin. */
export interface ReceivedFacts {
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  /** Null of what the API took in. */
  readonly authentication: Authentication | null;
}

/** The limits that a message counts in. */
export interface MailLimits {
  /** The person: an id that a contact has or would have; absent where that is the message's contact. */
  readonly of?: string;
  /** Since when the message waits for a limit. */
  readonly since: Date;
  readonly rules: readonly PersonLimit[];
  /** When it may go out, by the recipient's clock, if a limit lets it wait. */
  readonly windows?: SendWindows;
}
