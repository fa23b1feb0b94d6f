import { AppError } from '../../platform/core';
import { ProviderMeasureModel } from './model';
import type { Measure } from './model';

const current = () => ({ until: { $gt: new Date() }, do: { $ne: 'hold' as const } });

/** Reads the measures in force that suspend all mail to a provider or lower its rate. */
export const currentMeasures = (): Promise<Measure[]> => ProviderMeasureModel.find(current()).sort({ until: 1, _id: 1 }).lean<Measure[]>();

/** Ends a measure: workers know within a second, and count replies from zero. Mail that waits for its end keeps its time. Throws `not_found`. */
export async function endMeasure(id: string): Promise<void> {
  const { deletedCount } = await ProviderMeasureModel.deleteOne({ _id: id, ...current() });
  if (deletedCount === 0) throw new AppError('not_found', 'No measure with this name holds now. `measures list` shows those that do.');
}
