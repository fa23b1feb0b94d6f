import type { Schemas } from '../../../parts/api.ts';

export type Rehearsal = Schemas['Rehearsal'];

/** Something that happens meanwhile. */
export interface ScriptEvent {
  readonly name: string;
  readonly amount: string;
  readonly unit: 'hours' | 'days';
  readonly data: string;
}

/** The scenario of a rehearsal. */
export interface Script {
  /** Null for an unknown contact. */
  readonly contactId: string | null;
  readonly data: string;
  readonly events: readonly ScriptEvent[];
}

export const DAYS = 365;
const DAY_MS = 86_400_000;

export const NEW_EVENT: ScriptEvent = { name: '', amount: '1', unit: 'days', data: '' };

/** Returns the object in a JSON text; undefined if the text is empty or is something else. */
function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

export const isFaulty = (text: string): boolean => text.trim() !== '' && objectIn(text) === undefined;

const durationOf = ({ amount, unit }: ScriptEvent): string => {
  const hours = Math.max(0, Math.round(Number(amount) * (unit === 'days' ? 24 : 1)));
  return `PT${Number.isFinite(hours) ? hours : 0}H`;
};

/** Returns a rehearsal of a year, as the API takes it. Events without a name are not written yet. */
export function requestOf({ contactId, data, events }: Script, start: string): Schemas['RehearseWorkflowRequest'] {
  const given = objectIn(data);
  return {
    ...{ start, until: `P${DAYS}D` },
    ...(contactId !== null && { contactId }),
    ...(given && { data: given }),
    events: events
      .filter(({ name }) => name.trim() !== '')
      .map((event) => {
        const own = objectIn(event.data);
        return { name: event.name.trim(), after: durationOf(event), ...(own && { data: own }) };
      }),
  };
}

/** Returns the instant this many days after the start. */
export const dayAfter = (start: string, day: number): string => new Date(Date.parse(start) + day * DAY_MS).toISOString();

export const dayOf = (start: string, at: string): number => Math.floor((Date.parse(at) - Date.parse(start)) / DAY_MS);
