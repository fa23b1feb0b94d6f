import { linkedHash } from './hash-chain';
import type { Sha256 } from './hash-chain';
import { versionOfContent } from './content-version';

/** The members of a message that say its outcome. */
export interface CertifiedMessage {
  readonly status: string;
  readonly bounceType?: 'hard' | 'soft' | 'block' | null | undefined;
  readonly bouncedAt?: Date | null | undefined;
  readonly testMode?: boolean;
  readonly contentId?: string | null;
  readonly attempts: number;
  readonly sentAt?: Date | null | undefined;
  readonly dueAt?: Date | null | undefined;
  readonly attempt?: { readonly at: Date; readonly lost?: true } | undefined;
}

const REFUSED = ['hard', 'soft', 'block'] as const;

/** The outcome of a recipient. Each recipient has one, so that the sums of a certificate add up at any instant. */
export type Outcome = 'pending' | 'skipped' | 'delivered' | 'bounced' | 'failed' | 'deferred' | 'in_doubt';

/** A recipient in a certificate: one line of it. */
export interface CertifiedRecipient {
  readonly recipientId: string;
  readonly contactId: string | null;
  /** Null until there is a message. */
  readonly emailId: string | null;
  readonly outcome: Outcome;
  /** Why: of a skip its reason, of a bounce its kind; null where the outcome says all. */
  readonly reason: string | null;
  /** The group that the message is counted in: the version of a campaign's content, or the node of an automation. Null until there is a message. */
  readonly group: string | null;
  readonly attempts: number;
  /** When the next server took the message. */
  readonly sentAt: Date | null;
  /** Whether the outcome may still change: null if not, else at the latest until then, or without a known end. */
  readonly open: Date | 'without_end' | null;
}

type Judged = Pick<CertifiedRecipient, 'outcome' | 'reason' | 'open'>;

/**
 * Judges a message whose first attempt was made. In doubt is what no server has said the end of: it is being sent (`under_way`), its answer was not recorded
 * (`no_reply`, or `cancelled` when nobody may ask again), or the next server took it and reported no delivery (`no_report`; `test_mode` for test mail, which no server gets). `lateMs` is how long a
 * message may still bounce after it was sent.
 */
export function judgeMessage(message: CertifiedMessage, lateMs: number): Judged {
  const { status, testMode = false } = message;
  const open = bouncesUntil(message, lateMs);
  switch (status) {
    case 'queued':
      return isInDoubt(message) ? IN_DOUBT : DEFERRED;
    case 'sending':
      return { ...IN_DOUBT, reason: 'under_way' };
    case 'sent':
      return { outcome: 'in_doubt', reason: testMode ? 'test_mode' : 'no_report', open };
    case 'failed':
      return FAILED;
    case 'cancelled':
      return cancelled(message);
    default:
      return arrived(message, open);
  }
}

const bouncesUntil = ({ testMode = false, sentAt }: CertifiedMessage, lateMs: number): Date | null =>
  !testMode && sentAt ? new Date(sentAt.getTime() + lateMs) : null;

const IN_DOUBT: Judged = { outcome: 'in_doubt', reason: 'no_reply', open: 'without_end' };
const DEFERRED: Judged = { outcome: 'deferred', reason: null, open: 'without_end' };
const FAILED: Judged = { outcome: 'failed', reason: null, open: null };

const cancelled = ({ attempt }: CertifiedMessage): Judged => ({ ...(attempt?.lost ? IN_DOUBT : FAILED), reason: 'cancelled', open: null });

const arrived = ({ status, bouncedAt, bounceType }: CertifiedMessage, open: Judged['open']): Judged =>
  status === 'bounced' || bouncedAt
    ? { outcome: 'bounced', reason: bounceType ?? 'block', open: null }
    : { outcome: 'delivered', reason: null, open };

/**
 * Returns whether a message is in doubt. One whose worker was lost is due since its attempt, or held after a restore of the database; a
 * deferred one is due later.
 */
const isInDoubt = ({ dueAt, attempt }: CertifiedMessage): boolean => !dueAt || (attempt !== undefined && dueAt <= attempt.at);

/** Returns the version of the content that a message of a campaign has, as its certificate names it. */
export const versionGroup = ({ contentId }: Pick<CertifiedMessage, 'contentId'>): string => String(versionOfContent(contentId));

/** Messages by outcome: `sent` is the sum of the others. */
interface SentFigures {
  readonly sent: number;
  readonly delivered: number;
  readonly bounced: Readonly<Record<(typeof REFUSED)[number], number>>;
  readonly failed: number;
  readonly deferred: number;
  readonly inDoubt: number;
}

/** `audience` is the sum of `sent`, of all skipped and of `pending`. */
export interface CertificateFigures extends SentFigures {
  readonly audience: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly pending: number;
  readonly groups: ReadonlyMap<string, SentFigures>;
}

class Sent implements SentFigures {
  sent = 0;
  delivered = 0;
  readonly bounced = { hard: 0, soft: 0, block: 0 };
  failed = 0;
  deferred = 0;
  inDoubt = 0;

  add({ outcome, reason }: Judged): void {
    this.sent += 1;
    if (outcome === 'bounced') this.bounced[REFUSED.find((kind) => kind === reason) ?? 'block'] += 1;
    else if (outcome === 'in_doubt') this.inDoubt += 1;
    else if (outcome === 'delivered' || outcome === 'failed' || outcome === 'deferred') this[outcome] += 1;
  }
}

/** The end of a chain of recipients: the hash of its last line, and how many lines of recipients it has. */
export interface ChainEnd {
  readonly head: string;
  readonly rows: number;
}

/** The columns of the groups in which messages are counted. */
const GROUPS = ['contentVersion', 'nodeId'] as const;
export type Group = (typeof GROUPS)[number];

const headerOf = (group: Group): string => `recipientId,contactId,emailId,outcome,reason,${group},attempts,sentAt,hash`;

const LINE_END = '\r\n';

/** The chain of a certificate's lines: the hash of each covers its text and the hash before it, and the hash of the header comes first. */
class LineChain {
  head: string;
  rows = 0;

  constructor(
    private readonly sha256: Sha256,
    header: string,
  ) {
    this.head = linkedHash(null, [header], sha256);
  }

  add(text: string): string {
    this.head = linkedHash(this.head, [text], this.sha256);
    this.rows += 1;
    return this.head;
  }
}

/** A certificate that is made recipient by recipient: its figures, its lines as CSV, and the chain of these. */
export class Certificate {
  readonly header: string;
  private readonly chain: LineChain;
  private readonly all = new Sent();
  private readonly groups = new Map<string, Sent>();
  private readonly skipped: Record<string, number> = {};
  private pending = 0;
  private open: CertifiedRecipient['open'] = null;

  constructor(group: Group, sha256: Sha256) {
    this.header = `${headerOf(group)}${LINE_END}`;
    this.chain = new LineChain(sha256, headerOf(group));
  }

  /** Adds a recipient; returns the line of it. */
  add(recipient: CertifiedRecipient): string {
    this.count(recipient);
    const { recipientId, contactId, emailId, outcome, reason, group, attempts, sentAt } = recipient;
    const cells = [recipientId, contactId, emailId, outcome, reason, group, attempts, sentAt && sentAt.toISOString()];
    const text = cells.map((cell) => String(cell ?? '')).join(',');
    return `${text},${this.chain.add(text)}${LINE_END}`;
  }

  private count(recipient: CertifiedRecipient): void {
    const { outcome, reason, group, open } = recipient;
    this.open = laterOf(this.open, open);
    if (outcome === 'pending') this.pending += 1;
    else if (outcome === 'skipped') this.skipped[reason ?? 'skipped'] = (this.skipped[reason ?? 'skipped'] ?? 0) + 1;
    else {
      this.all.add(recipient);
      if (group !== null) this.groupOf(group).add(recipient);
    }
  }

  private groupOf(group: string): Sent {
    const found = this.groups.get(group) ?? new Sent();
    this.groups.set(group, found);
    return found;
  }

  get figures(): CertificateFigures {
    const { sent, delivered, bounced, failed, deferred, inDoubt } = this.all;
    const { skipped, pending, groups } = this;
    const audience = Object.values(skipped).reduce((sum, count) => sum + count, sent + pending);
    return { audience, sent, delivered, bounced, failed, deferred, inDoubt, skipped, pending, groups };
  }

  get end(): ChainEnd {
    return { head: this.chain.head, rows: this.chain.rows };
  }

  /** Until when an outcome may still change: null if none can. */
  get openUntil(): CertifiedRecipient['open'] {
    return this.open;
  }
}

function laterOf(one: CertifiedRecipient['open'], other: CertifiedRecipient['open']): CertifiedRecipient['open'] {
  if (one === 'without_end' || other === 'without_end') return 'without_end';
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/** Verifies the lines of a certificate one by one, with their ends. */
export class CertificateCheck {
  private chain: LineChain | null = null;

  constructor(private readonly sha256: Sha256) {}

  /** Returns whether the next line is as it was written. */
  accepts(line: string): boolean {
    if (!line.endsWith(LINE_END)) return false;
    const text = line.slice(0, -LINE_END.length);
    if (this.chain === null) {
      const isHeader = GROUPS.some((group) => headerOf(group) === text);
      if (isHeader) this.chain = new LineChain(this.sha256, text);
      return isHeader;
    }
    const comma = text.lastIndexOf(',');
    return this.chain.add(text.slice(0, comma)) === text.slice(comma + 1);
  }

  /** The end of the lines so far; null before the header. */
  get end(): ChainEnd | null {
    return this.chain && { head: this.chain.head, rows: this.chain.rows };
  }
}
