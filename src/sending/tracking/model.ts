import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { PeoplesVisits, Visit } from '../../rules/visits';

/** A visit as it was checked last, in `machine`, with the events that say it. */
export interface TrailVisit extends Visit {
  readonly events: readonly VisitEvent[];
}

export interface VisitEvent {
  readonly id: string;
  readonly name: 'email.opened' | 'email.clicked';
  /** It says that it is the first of its message. */
  readonly first: boolean;
}

/** The visits of a message in the last minute, by which the next ones are checked. */
export interface HitTrail {
  /** The message. */
  readonly _id: string;
  /** When the last one came. */
  readonly at: Date;
  /** Engagement of people before them. */
  readonly before: PeoplesVisits;
  readonly visits: readonly TrailVisit[];
  /** When earlier visits of a kind had an event. */
  readonly marks: readonly { readonly mark: string; readonly at: number }[];
}

/** Longer than anything in a trail counts, whenever the database removes it. */
const KEPT_SECONDS = 120;

const hitTrailSchema = rowSchema<HitTrail>({
  _id: { type: String, required: true },
  at: { type: Date, required: true },
  before: { type: Schema.Types.Mixed, required: true },
  visits: { type: [Schema.Types.Mixed], required: true },
  marks: { type: [Schema.Types.Mixed], required: true },
});
hitTrailSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // removal of trails that no longer count

export const HitTrailModel = model<HitTrail>('HitTrail', hitTrailSchema, 'hit_trails');
