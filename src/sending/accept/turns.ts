import type { ClientSession } from 'mongoose';
import type { CapSource } from '../../contracts/frequency-cap';
import { merged } from '../../platform/core';
import type { Context } from '../../platform/core';
import type { Email } from '../../records/emails';
import { LimitBook } from '../../records/person-limits';
import { limitsOf } from '../../rules/limits-of-mail';
import type { PersonLimit } from '../../rules/person-limits';
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
export class Turns {
  private constructor(
    private readonly limits: Limits,
    private readonly book: LimitBook,
    private readonly now: Date,
  ) {}

  /** Reads what the recipients of drafts got. Null, without a query, where no limit holds for any of them. */
  static async read(session: ClientSession, ctx: Context, drafts: readonly Draft[], source: CapSource, now: Date): Promise<Turns | null> {
    const limits: Limits = new Map(
      drafts.map((draft) => [draft, limitsOfDraft(ctx, draft, source)] as const).filter(([, { length }]) => length > 0),
    );
    if (limits.size === 0) return null;
    const wanted = [...limits].flatMap(([draft, own]) => draft.recipients.map(({ contactId: of }) => ({ of, limits: own })));
    return new Turns(limits, await LimitBook.read(session, ctx.projectId, wanted, now), now);
  }

  /** Gives a message its places, and makes its row by `rowOf`, which may get a later time; or returns which limit stops it. */
  admit(draft: Draft, { contactId: of }: PreparedRecipient, rowOf: (draft: Draft) => Email): Email | Skipped {
    const limits = this.limits.get(draft);
    if (!limits) return rowOf(draft);
    const since = draft.message.sendAt ?? this.now;
    const turn = this.book.turn({ of, limits }, since);
    if ('reached' in turn) return { skipped: 'limit_reached', detail: turn.detail };
    const email = rowOf(turn.at > since ? merged(draft, { message: merged(draft.message, { sendAt: turn.at }) }) : draft);
    this.book.take({ of, limits }, { id: email._id, at: turn.at, ...(email.status === 'queued' && { held: true as const }) });
    return merged(email, { limits: { of, since, rules: limits } });
  }

  /** Writes the places that messages took. */
  write(): Promise<void> {
    return this.book.write();
  }
}
