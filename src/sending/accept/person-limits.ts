import type { ClientSession } from 'mongoose';
import { contactIdFor } from '../../audience/contacts';
import type { CapSource } from '../../contracts/frequency-cap';
import { merged } from '../../platform/core';
import type { Context } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import type { Email } from '../../records/emails';
import { LimitBook } from '../../records/person-limits';
import type { RehearsedPlace } from '../../records/person-limits';
import { limitsOf } from '../../rules/limits-of-mail';
import type { PersonLimit, SendTime } from '../../rules/person-limits';
import type { Draft, PreparedRecipient, Skipped } from './types';

type Limits = ReadonlyMap<Draft, readonly PersonLimit[]>;

/** Lists the limits that hold for a message (docs/limits.md). */
function limitsOfDraft({ testMode, project }: Context, { message, type, topic }: Draft, source: CapSource): readonly PersonLimit[] {
  const { isTrial, sendOnce, throttle, ignoresCaps } = message;
  const topicId = topic?.topicId ?? null;
  return limitsOf(
    { type: isTrial ? 'transactional' : type, source, topicId, testMode, sendOnce, throttle, ignoresCaps },
    project.frequencyCaps,
  );
}

/** Decides when messages may go, in the transaction that accepts them, by what their recipients got. */
export class PersonLimits {
  private constructor(
    private readonly limits: Limits,
    private readonly book: LimitBook,
    private readonly now: Date,
  ) {}

  /** Reads what the recipients of drafts got. Null, without a query, where no limit holds for any of them. */
  static async read(
    session: ClientSession,
    ctx: Context,
    drafts: readonly Draft[],
    source: CapSource,
    now: Date,
  ): Promise<PersonLimits | null> {
    const limits: Limits = new Map(
      drafts.map((draft) => [draft, limitsOfDraft(ctx, draft, source)] as const).filter(([, { length }]) => length > 0),
    );
    if (limits.size === 0) return null;
    const wanted = [...limits].flatMap(([draft, own]) => draft.recipients.map(({ contactId: of }) => ({ of, limits: own })));
    return new PersonLimits(limits, await LimitBook.read(session, ctx.projectId, wanted, now), now);
  }

  /** Gives a message its places, and makes its row by `rowOf`, for a recipient who may get it later; or returns which limit stops it. */
  admit(draft: Draft, recipient: PreparedRecipient, rowOf: (recipient: PreparedRecipient) => Email): Email | Skipped {
    const rules = this.limits.get(draft);
    if (!rules) return rowOf(recipient);
    const limited = { of: recipient.contactId, limits: rules };
    const since = recipient.sendAt ?? this.now;
    const sendTime = this.book.sendTime(limited, since, { opensFrom: recipient.opensFrom });
    if ('reached' in sendTime) return { skipped: 'limit_reached', detail: sendTime.detail };
    const email = rowOf(sendTime.at > since ? merged(recipient, { sendAt: sendTime.at }) : recipient);
    this.book.take(limited, { id: email._id, at: sendTime.at, ...(email.status === 'queued' && { held: true as const }) });
    const mayWait = draft.windows !== null && rules.some(({ waitMs }) => waitMs !== undefined);
    return merged(email, { limits: { of: recipient.contactId, since, rules, ...(mayWait && { windows: draft.windows }) } });
  }

  /** Writes the places that messages took. */
  write(): Promise<void> {
    return this.book.write();
  }
}

/** The limits of a person in a rehearsal: what the person got, and the earlier messages of the rehearsal. Writes nothing. */
export class RehearsedLimits {
  private readonly places: RehearsedPlace[] = [];

  /** Resolves to when an automation's message may go, at `since` at the earliest, and takes its place; or to the limit that stops it. */
  async sendTime(
    ctx: Context,
    draft: Draft,
    { email, opensFrom }: Pick<PreparedRecipient, 'email' | 'opensFrom'>,
    since: Date,
  ): Promise<SendTime> {
    const limits = limitsOfDraft(ctx, draft, 'workflow');
    if (limits.length === 0) return { at: since };
    // An imagined contact has no id, but its address may have got something.
    const limited = { of: contactIdFor(ctx.project, email), limits };
    const sendTime = await inTransaction(async (session) =>
      (await LimitBook.read(session, ctx.projectId, [limited], new Date(), this.places)).sendTime(limited, since, { opensFrom }),
    );
    if ('at' in sendTime) this.places.push({ limits, place: { id: `rehearsal/${this.places.length + 1}`, at: sendTime.at } });
    return sendTime;
  }
}
