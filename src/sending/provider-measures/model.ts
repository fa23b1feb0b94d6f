import { model, rowSchema } from '../../platform/mongo';
import type { ReplyRule } from '../../rules/provider-rules';

/** The replies of a provider that a rule counts, and what followed. */
export interface ProviderMeasure {
  /** `<provider>/<place of the reply in the rule>`, for a hold also `/<projectId>`. */
  readonly _id: string;
  readonly provider: string;
  /** Action of the rule. A hold is for one project, and `provider_holds` has it. */
  readonly do: ReplyRule['do'];
  /** When the last replies came, as many as the rule counts. */
  readonly replies: readonly Date[];
  /** The last one, without addresses. */
  readonly reply: string;
  /** Until when the measure holds, or a hold does not begin again; null when it never began. */
  readonly until: Date | null;
  /** The rate meanwhile; absent where nothing is sent. */
  readonly perMinute?: number;
  /** When the row may go. */
  readonly endsAt: Date;
}

/** A measure against all mail to a provider that has begun. */
export interface Measure extends Pick<ProviderMeasure, '_id' | 'provider' | 'reply' | 'perMinute'> {
  readonly do: Exclude<ProviderMeasure['do'], 'hold'>;
  readonly until: Date;
}

const measureSchema = rowSchema<ProviderMeasure>({
  _id: { type: String, required: true },
  provider: { type: String, required: true },
  do: { type: String, required: true },
  replies: { type: [Date], required: true } as never,
  reply: { type: String, required: true },
  until: { type: Date, default: null },
  perMinute: { type: Number },
  endsAt: { type: Date, required: true },
});
measureSchema.index({ until: 1 }, { partialFilterExpression: { until: { $gt: new Date(0) } } }); // those that hold, which workers read each second
measureSchema.index({ endsAt: 1 }, { expireAfterSeconds: 3_600 }); // replies that led to nothing, and measures that are over

export const ProviderMeasureModel = model<ProviderMeasure>('ProviderMeasure', measureSchema, 'provider_measures');
