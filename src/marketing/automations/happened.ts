import type { DigestItem } from '../../rules/automation/digest';
import type { Execution } from './execution-model';

type Data = Readonly<Record<string, unknown>>;

/** The events of an execution, as conditions and templates read them. */
export interface Happened {
  /** Data of the triggering event. */
  readonly trigger: Data;
  /** The events that its digest has gathered. */
  readonly items?: readonly DigestItem[];
}

/** Reads what has happened from an execution's document. */
export const happenedIn = ({ data, items }: Pick<Execution, 'data' | 'items'>): Happened => ({
  trigger: JSON.parse(data) as Data,
  ...(items && { items: items.map((item) => ({ name: item.name, data: JSON.parse(item.data) as Data, at: item.at.toISOString() })) }),
});
