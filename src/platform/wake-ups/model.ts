import { model, rowSchema } from '../mongo';

/** One tiny row per pump: how a running pump learns of new work without looking for it. */
export interface Wake {
  /** The id of the pump's workflow. */
  readonly _id: string;
  /** Grows with each wake. */
  readonly sequence: number;
  /** Until when a pump promises to look at `sequence`; null while none runs. */
  readonly listeningUntil: Date | null;
  readonly listener: string | null;
  /** The run that listened last, also once it has ended. */
  readonly lastListener?: string | null;
  /** When the pump's workflow was signaled and has not run since. */
  readonly signalledAt: Date | null;
}

const wakeSchema = rowSchema<Wake>({
  _id: { type: String, required: true },
  sequence: { type: Number, default: 0 },
  listeningUntil: { type: Date, default: null },
  listener: { type: String, default: null },
  lastListener: { type: String },
  signalledAt: { type: Date, default: null },
});
export const WakeModel = model<Wake>('Wake', wakeSchema, 'wakes');
