import type { Schemas } from '../../../parts/api.ts';
import type { Values } from '../../../parts/values/values-field.tsx';

export type Rehearsal = Schemas['Rehearsal'];

/** Something that happens meanwhile. */
export interface ScriptEvent {
  readonly name: string;
  readonly amount: string;
  readonly unit: 'hours' | 'days';
  readonly data: Values | undefined;
}

/** The scenario of a rehearsal. */
export interface Script {
  /** Null for an unknown contact. */
  readonly contactId: string | null;
  readonly data: Values | undefined;
  readonly events: readonly ScriptEvent[];
}

export const DAYS = 365;
const DAY_MS = 86_400_000;

export const NEW_EVENT: ScriptEvent = { name: '', amount: '1', unit: 'days', data: undefined };

const durationOf = ({ amount, unit }: ScriptEvent): string => {
  const hours = Math.max(0, Math.round(Number(amount) * (unit === 'days' ? 24 : 1)));
  return `PT${Number.isFinite(hours) ? hours : 0}H`;
};

/** Returns a rehearsal of a year, as the API takes it. Events without a name are not written yet. */
export function requestOf({ contactId, data, events }: Script, start: string): Schemas['RehearseWorkflowRequest'] {
  return {
    start,
    until: `P${DAYS}D`,
    ...(contactId !== null && { contactId }),
    ...(data && { data }),
    events: events
      .filter(({ name }) => name.trim() !== '')
      .map((event) => ({ name: event.name.trim(), after: durationOf(event), ...(event.data && { data: event.data }) })),
  };
}

/** Returns the instant this many days after the start. */
export const dayAfter = (start: string, day: number): string => new Date(Date.parse(start) + day * DAY_MS).toISOString();

export const dayOf = (start: string, at: string): number => Math.floor((Date.parse(at) - Date.parse(start)) / DAY_MS);
