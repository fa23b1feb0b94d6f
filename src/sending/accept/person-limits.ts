import type { ClientSession } from 'mongoose';
import { contactIdFor } from '../../audience/contacts';
import type { CapSource } from '../../contracts/frequency-cap';
import { merged } from '../../platform/core';
import type { Context } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import type { Email } from '../../records/emails';
import { LimitBook } from '../../records/person-limits';
import type { Limited, RehearsedPlace } from '../../records/person-limits';
import { limitsOf } from '../../rules/limits-of-mail';
import type { PersonLimit, Turn } from '../../rules/person-limits';
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

/** A window opens at least once a week; more looks than this find no time at which a limit and a window agree. */
const LOOKS = 10;

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
    const turn = turnOf(this.book, limited, recipient, since);
    if ('reached' in turn) return { skipped: 'limit_reached', detail: turn.detail };
    const email = rowOf(turn.at > since ? merged(recipient, { sendAt: turn.at }) : recipient);
    this.book.take(limited, { id: email._id, at: turn.at, ...(email.status === 'queued' && { held: true as const }) });
    return merged(email, { limits: { of: recipient.contactId, since, rules } });
  }

  /** Writes the places that messages took. */
  write(): Promise<void> {
    return this.book.write();
  }
}

/** Finds the first time at which the limits have room and the window is open. */
function turnOf(book: LimitBook, limited: Limited, { opensFrom }: Pick<PreparedRecipient, 'opensFrom'>, since: Date): Turn {
  let turn = book.turn(limited, since);
  for (let look = 0; opensFrom && 'at' in turn && turn.at > since && look < LOOKS; look++) {
    const opens = opensFrom(turn.at);
    if (opens <= turn.at) break;
    turn = book.turn(limited, opens);
  }
  return turn;
}

/** The limits of a person in a rehearsal: what the person got, and the earlier messages of the rehearsal. Writes nothing. */
export class RehearsedLimits {
  private readonly places: RehearsedPlace[] = [];

  /** Resolves to when an automation's message may go, at `since` at the earliest, and takes its place; or to the limit that stops it. */
  async turn(ctx: Context, draft: Draft, recipient: Pick<PreparedRecipient, 'email' | 'opensFrom'>, since: Date): Promise<Turn> {
    const limits = limitsOfDraft(ctx, draft, 'workflow');
    if (limits.length === 0) return { at: since };
    // An imagined contact has no id, but its address may have got something.
    const limited = { of: contactIdFor(ctx.project, recipient.email), limits };
    const turn = await inTransaction(async (session) =>
      turnOf(await LimitBook.read(session, ctx.projectId, [limited], new Date(), this.places), limited, recipient, since),
    );
    if ('at' in turn) this.places.push({ limits, place: { id: `rehearsal/${this.places.length + 1}`, at: turn.at } });
    return turn;
  }
}
