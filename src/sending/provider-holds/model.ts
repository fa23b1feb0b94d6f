import { model, rowSchema } from '../../platform/mongo';
import type { Policy } from '../../rules/policy-refusal';

/** The recent refusals of a project's campaign mail by a provider; a hold once `since` is set. The row goes when the hold ends. */
export interface ProviderHold {
  /** `<projectId>/<provider>`. */
  readonly _id: string;
  readonly projectId: string;
  readonly provider: string;
  readonly policy: Policy;
  /** The last reply, without secrets. */
  readonly reply: string;
  /** Refusals that count together: none of them came more than an hour after the one before. */
  readonly recent: number;
  readonly lastAt: Date;
  /** All refusals since the row exists. */
  readonly refused: number;
  /** When the hold began; null while there are too few refusals. */
  readonly since: Date | null;
  /** Checks that did not end the hold. */
  readonly checks: number;
  readonly nextCheckAt: Date | null;
  /** Records that the last check did not find, by host. */
  readonly missing: readonly string[];
  /** The message that is to show whether the provider takes mail again; `open` until there is one. */
  readonly probe: string | null;
  readonly probeAt: Date | null;
}

const holdSchema = rowSchema<ProviderHold>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  provider: { type: String, required: true },
  policy: { type: String, required: true },
  reply: { type: String, required: true },
  recent: { type: Number, required: true },
  lastAt: { type: Date, required: true },
  refused: { type: Number, required: true },
  since: { type: Date, default: null },
  checks: { type: Number, required: true },
  nextCheckAt: { type: Date, default: null },
  missing: { type: [String], required: true } as never,
  probe: { type: String, default: null },
  probeAt: { type: Date, default: null },
});
holdSchema.index({ since: 1 }, { partialFilterExpression: { since: { $gt: new Date(0) } } }); // all holds, which workers read each second
holdSchema.index({ lastAt: 1 }, { expireAfterSeconds: 86_400, partialFilterExpression: { since: null } }); // refusals that led to no hold

export const ProviderHoldModel = model<ProviderHold>('ProviderHold', holdSchema, 'provider_holds');
