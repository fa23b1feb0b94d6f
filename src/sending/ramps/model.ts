import { model, rowSchema } from '../../platform/mongo';
import type { RampCount } from '../../rules/ramps';

/** The position of a transport's ramp. */
export interface RampState {
  /** The transport. */
  readonly _id: string;
  /** The day in the ramp's zone, as YYYY-MM-DD, for which the step was decided. */
  readonly day: string;
  /** The place of the amount in `perDay`. */
  readonly step: number;
  /** The amount of the day, as operators read it; null for no limit. */
  readonly amount: number | null;
  readonly perProvider: boolean;
  /** Why the day has the step of the day before; null when it has climbed. */
  readonly heldBack: 'refused' | 'unused' | null;
}

/** Counts of a day of a ramp. */
export interface RampDay extends RampCount {
  /** `<transport>/<day>`, with the provider behind it where each has the amount for itself. */
  readonly _id: string;
  readonly transport: string;
  readonly day: string;
  readonly provider: string | null;
  /** When the row may go. */
  readonly endsAt: Date;
}

const stateSchema = rowSchema<RampState>({
  _id: { type: String, required: true },
  day: { type: String, required: true },
  step: { type: Number, required: true },
  amount: { type: Number, default: null },
  perProvider: { type: Boolean, required: true },
  heldBack: { type: String, default: null },
});

const daySchema = rowSchema<RampDay>({
  _id: { type: String, required: true },
  transport: { type: String, required: true },
  day: { type: String, required: true },
  provider: { type: String, default: null },
  used: { type: Number, required: true },
  refused: { type: Number, required: true },
  early: { type: Number, required: true },
  endsAt: { type: Date, required: true },
});
daySchema.index({ transport: 1, day: 1 });
daySchema.index({ endsAt: 1 }, { expireAfterSeconds: 3_600 });

export const RampStateModel = model<RampState>('RampState', stateSchema, 'ramps');
export const RampDayModel = model<RampDay>('RampDay', daySchema, 'ramp_days');
