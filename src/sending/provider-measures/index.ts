import { AppError } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { ProviderRule, ReplyRule } from '../../rules/provider-rules';
import { holdFor, withoutAddresses } from '../provider-holds';
import { ProviderMeasureModel } from './model';
import type { Measure, ProviderMeasure } from './model';

const current = () => ({ until: { $gt: new Date() }, do: { $ne: 'hold' as const } });

/** Reads the measures in force that suspend all mail to a provider or lower its rate. */
export const currentMeasures = (): Promise<Measure[]> => ProviderMeasureModel.find(current()).sort({ until: 1, _id: 1 }).lean<Measure[]>();

/** Ends a measure: workers know within a second, and count replies from zero. Mail that waits for its end keeps its time. Throws `not_found`. */
export async function endMeasure(id: string): Promise<void> {
  const { deletedCount } = await ProviderMeasureModel.deleteOne({ _id: id, ...current() });
  if (deletedCount === 0) throw new AppError('not_found', 'No measure with this name holds now. `measures list` shows those that do.');
}

/** Every worker knows of a measure within this time. */
const KNOWN_MS = 1_000;
const MINUTE_MS = 60_000;

interface Noted {
  readonly provider: string;
  /** The place of the reply among those of the provider's rule. */
  readonly at: number;
  readonly projectId: string;
  readonly reply: string;
}

/** Counts replies by the rules for providers, and knows which measures hold. They are stored: they outlast a restart, and all workers keep to them. */
export class MeasureBook {
  private measures: readonly Measure[] = [];
  private readAt = Number.NEGATIVE_INFINITY;
  private readonly rules: ReadonlyMap<string, ProviderRule>;

  constructor(
    private readonly core: Pick<Core, 'log' | 'config' | 'dns'>,
    rules: readonly ProviderRule[],
  ) {
    this.rules = new Map(rules.map((rule) => [rule.provider, rule]));
  }

  /** Returns the measures against a provider as read last, and reads them again in the background once a second. */
  of(provider: string): readonly Measure[] {
    if (performance.now() - this.readAt > KNOWN_MS) {
      this.readAt = performance.now();
      void this.learn();
    }
    return this.measures.filter((measure) => measure.provider === provider);
  }

  /** Resolves when the measures of now are known; as they were, where they cannot be read. */
  async learn(): Promise<void> {
    try {
      this.measures = await currentMeasures();
    } catch (err) {
      this.core.log.warn({ err }, 'It is not known which providers are suspended');
    }
  }

  /** Counts a reply. What follows from it holds here at once. Never throws: a reply that was not counted is one too few. */
  note(noted: Noted): void {
    const on = this.rules.get(noted.provider)?.on[noted.at];
    if (on) void this.count(noted, on).catch((err: unknown) => this.core.log.warn({ err }, 'A reply of a provider was not counted'));
  }

  private async count({ provider, at, projectId, reply }: Noted, on: ReplyRule): Promise<void> {
    const now = new Date();
    const until = new Date(now.getTime() + (on.forMinutes ?? on.withinMinutes) * MINUTE_MS);
    const ofProject = on.do === 'hold' ? `/${projectId}` : '';
    const row = (await ProviderMeasureModel.collection.findOneAndUpdate(
      { _id: `${provider}/${at}${ofProject}` },
      countedBy(on, { provider, now, until, reply: withoutAddresses(reply) }),
      { upsert: true, returnDocument: 'after' },
    )) as ProviderMeasure | null;
    if (row?.until?.getTime() !== until.getTime()) return;
    this.core.log.warn({ provider, do: on.do, until, times: on.times }, 'Replies of a provider have led to a measure');
    if (on.do === 'hold') await holdFor(this.core, { projectId, provider, reply });
    else this.measures = [...this.measures, { ...row, do: on.do, until }];
  }
}

/** Adds a reply to the last ones; the measure begins when there are enough of them in time, and none holds. */
function countedBy(
  { times, withinMinutes, do: what, perMinute }: ReplyRule,
  of: { provider: string; reply: string; now: Date; until: Date },
) {
  const { provider, reply, now, until } = of;
  const begins = {
    $and: [
      { $gte: [{ $size: '$replies' }, times] },
      { $gte: [{ $first: '$replies' }, new Date(now.getTime() - withinMinutes * MINUTE_MS)] },
      { $lte: [{ $ifNull: ['$until', new Date(0)] }, now] },
    ],
  };
  return [
    {
      $set: {
        provider: { $literal: provider },
        do: what,
        reply: { $literal: reply },
        replies: { $slice: [{ $concatArrays: [{ $ifNull: ['$replies', []] }, [now]] }, -times] },
        until: { $ifNull: ['$until', null] },
        perMinute: what === 'rate' ? perMinute : '$$REMOVE',
        endsAt: { $max: ['$endsAt', until] },
      },
    },
    { $set: { until: { $cond: [begins, until, '$until'] }, replies: { $cond: [begins, [], '$replies'] } } },
  ];
}

export type { Measure } from './model';
