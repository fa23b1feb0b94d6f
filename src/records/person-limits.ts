import type { ClientSession } from 'mongoose';
import { earliestSendTime, withoutPast } from '../rules/person-limits';
import type { PersonLimit, SendTime, Place } from '../rules/person-limits';
import { statusesOf } from './emails';
import { Schema } from 'mongoose';
import { model, rowSchema } from '../platform/mongo';
import { hook } from '../platform/hooks';

/** A message of a campaign that has no row. */
export interface Rowless {
  readonly emailId: string;
  readonly campaignId: string;
  readonly contactId: string;
}

/** Finds which of the messages never go out, since their recipients were skipped. */
export const skippedInCampaigns = hook<(messages: readonly Rowless[]) => Promise<ReadonlySet<string>>>('which recipients were skipped');

/** A place that a message takes. */
interface StoredPlace extends Place {
  /** Set for a campaign's message, whose row is written after it was sent. */
  readonly campaignId?: string;
}

/** The messages to a person that one limit counts. */
interface PersonLimitRow {
  /** `<contactId>/<key of the limit>`. The first is a keyed hash of the address, whether or not it has a contact. */
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string;
  readonly places: readonly StoredPlace[];
  /** The end of its last window; absent where there is none. */
  readonly expiresAt?: Date;
}

const limitSchema = rowSchema<PersonLimitRow>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, required: true },
  places: { type: [Schema.Types.Mixed], required: true } as never,
  expiresAt: { type: Date },
});
limitSchema.index({ projectId: 1, contactId: 1 }); // erasure of a person, removal of a project
limitSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3_600 }); // windows that have ended; later than any clock is wrong

export const PersonLimitModel = model<PersonLimitRow>('PersonLimit', limitSchema, 'person_limits');

/** A person, and the limits that hold for a message to that person. */
export interface Limited {
  /** The id that the person's contact has or would have. */
  readonly of: string;
  readonly limits: readonly PersonLimit[];
}

/** A window opens at least once a week; after this many tries no time is found at which a limit and a window agree. */
const TRIES = 10;

/** Returns the first instant from another one on at which a message's window is open; undefined for mail that may go at any time. */
type OpensFrom = ((at: Date) => Date) | undefined;

/** A place that a message takes in a rehearsal. */
export interface RehearsedPlace {
  readonly limits: readonly PersonLimit[];
  readonly place: StoredPlace;
}

interface Page {
  readonly of: string;
  readonly limit: PersonLimit;
  places: readonly StoredPlace[];
  changed: boolean;
}

const nameOf = (of: string, { key }: PersonLimit): string => `${of}/${key}`;

/**
 * The messages that some limits count, read and written in one transaction: of two that take the last place at once, one is refused, and decides again. A message
 * takes a place in the transaction that accepts it (reserved) or that reads its campaign's recipients, and is counted from its first attempt (`commit`). What ends
 * without an attempt, or fails, is given back when its place is wanted: the ledger says what ended how, so that nothing has to be given back in time.
 *
 * | killed                                    | found                                  | happens                                                          |
 * |-------------------------------------------|----------------------------------------|------------------------------------------------------------------|
 * | before the acceptance is stored           | nothing                                | nothing counts                                                   |
 * | after it, before the first attempt        | a reserved place, the message queued   | it counts as of now; the pump commits the place, and sends       |
 * | place committed, not sent                 | the same, committed                    | the pump sends the message, which has its place                  |
 * | a recipient's place taken, page not sent  | the place, no message                  | the page is read again: the recipient has its place              |
 * | the same, and the campaign is cancelled   | the place, a recipient who was skipped | given back when the place is wanted                              |
 * | message cancelled or failed               | the place, and how the message ended   | the same                                                         |
 */
export class LimitBook {
  private readonly pages = new Map<string, Page>();

  private constructor(
    private readonly session: ClientSession,
    private readonly projectId: string,
    private readonly now: Date,
  ) {}

  /** Reads what the limits count, and adds the places of a rehearsal; nothing where there are none. */
  static async read(
    session: ClientSession,
    projectId: string,
    wanted: readonly Limited[],
    now: Date,
    rehearsed: readonly RehearsedPlace[] = [],
  ): Promise<LimitBook> {
    const book = new LimitBook(session, projectId, now);
    for (const { of, limits } of wanted) {
      for (const limit of limits) book.pages.set(nameOf(of, limit), { of, limit, places: [], changed: false });
    }
    if (book.pages.size > 0) await book.load(rehearsed);
    return book;
  }

  /** Returns the first time from `from` on at which the limits have room and the window is open, or the limit that stops the message. */
  sendTime(limited: Limited, from: Date, { id, opensFrom }: { readonly id?: string; readonly opensFrom?: OpensFrom } = {}): SendTime {
    let sendTime = this.free(limited, from, id);
    for (let attempt = 0; opensFrom && 'at' in sendTime && sendTime.at > from && attempt < TRIES; attempt++) {
      const opens = opensFrom(sendTime.at);
      if (opens <= sendTime.at) break;
      sendTime = this.free(limited, opens, id);
    }
    return sendTime;
  }

  private free({ of, limits }: Limited, from: Date, id: string | undefined): SendTime {
    return earliestSendTime(limits, (limit) => this.placesOf(of, limit).filter((place) => place.id !== id), from, this.now);
  }

  /** Returns whether a message may be attempted now: what is reserved for later is checked when its own time comes. */
  mayGoNow({ of, limits }: Limited, id: string): boolean {
    const attempted = (limit: PersonLimit) => this.placesOf(of, limit).filter((place) => !place.held && place.id !== id);
    const sendTime = earliestSendTime(limits, attempted, this.now, this.now);
    return 'at' in sendTime && sendTime.at.getTime() === this.now.getTime();
  }

  /** Returns whether a message has a place in each of the limits that is not merely reserved. */
  isCommitted({ of, limits }: Limited, id: string): boolean {
    return limits.every((limit) => this.placesOf(of, limit).some((place) => place.id === id && !place.held));
  }

  /** Gives a message its place in each of the limits, instead of one that it has. */
  take({ of, limits }: Limited, place: StoredPlace): void {
    for (const limit of limits) {
      const page = this.pageOf(of, limit);
      page.places = [...page.places.filter(({ id }) => id !== place.id), place];
      page.changed = true;
    }
  }

  /** Writes what has changed. */
  async write(): Promise<void> {
    const writes = [...this.pages].flatMap(([_id, page]) => (page.changed ? [this.writeOf(_id, page)] : []));
    if (writes.length > 0) await PersonLimitModel.collection.bulkWrite(writes, { session: this.session, ordered: false });
  }

  private writeOf(_id: string, { of: contactId, limit, places }: Page) {
    const { ms } = limit;
    const kept = withoutPast(places, limit, this.now);
    const last = Math.max(this.now.getTime(), ...kept.map(({ at }) => at.getTime()));
    const $set = { contactId, places: kept, ...(ms !== null && { expiresAt: new Date(last + ms) }) };
    const filter = { _id: _id as never, projectId: this.projectId };
    return { updateOne: { filter, update: { $set, ...(ms === null && { $unset: { expiresAt: '' } }) }, upsert: true } };
  }

  private pageOf(of: string, limit: PersonLimit): Page {
    const page = this.pages.get(nameOf(of, limit));
    if (!page) throw new Error('A limit was not read');
    return page;
  }

  private placesOf(of: string, limit: PersonLimit): readonly StoredPlace[] {
    return this.pageOf(of, limit).places;
  }

  private async load(rehearsed: readonly RehearsedPlace[]): Promise<void> {
    const { projectId, session } = this;
    const filter = { _id: { $in: [...this.pages.keys()] as never[] }, projectId };
    const rows = await PersonLimitModel.collection.find<PersonLimitRow>(filter, { session }).toArray();
    for (const { _id, places } of rows) {
      const page = this.pages.get(_id) as Page;
      page.places = withoutPast(places, page.limit, this.now);
    }
    for (const page of this.pages.values()) {
      const imagined = rehearsed.filter(({ limits }) => limits.some(({ key }) => key === page.limit.key));
      if (imagined.length > 0) page.places = [...page.places, ...imagined.map(({ place }) => place)];
    }
    await this.giveBack();
  }

  /** Gives back, in limits that are reached, the places of messages that were cancelled or failed, or whose recipients were skipped. */
  private async giveBack(): Promise<void> {
    const full = [...this.pages.values()].filter(({ places, limit }) => places.length >= limit.max);
    if (full.length === 0) return;
    const ids = [...new Set(full.flatMap(({ places }) => places.map(({ id }) => id)))];
    const statuses = await statusesOf(this.session, this.projectId, ids);
    const rowless = full.flatMap(({ of: contactId, places }) =>
      places.flatMap(({ id: emailId, campaignId }) => (campaignId && !statuses.has(emailId) ? [{ emailId, campaignId, contactId }] : [])),
    );
    const skipped = rowless.length > 0 ? await skippedInCampaigns.only(rowless) : NONE;
    const isOver = ({ id }: StoredPlace): boolean => OVER.has(statuses.get(id) ?? '') || skipped.has(id);
    for (const page of full) page.places = page.places.filter((place) => !isOver(place));
  }
}

/** Statuses of messages that do not count. */
const OVER: ReadonlySet<string> = new Set(['cancelled', 'failed']);

const NONE: ReadonlySet<string> = new Set();

/** Removes what limits count of a person. Resolves to how many rows it was. */
export const eraseLimits = async (projectId: string, contactId: string): Promise<number> =>
  (await PersonLimitModel.collection.deleteMany({ projectId, contactId })).deletedCount;
