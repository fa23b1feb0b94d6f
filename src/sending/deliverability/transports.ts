import type { Context, Core } from '../../platform/core';
import { outcomesByTransport, waitingBy } from '../../records/emails';
import type { TransportOutcomes } from '../../records/emails';
import { DEFAULT_TRANSPORT, transportsOfProject } from '../../rules/transports';
import { rampToday, rampWait } from '../ramps';
import type { RampToday } from '../ramps';
import { MOST_COUNTED, sinceOf } from './span';

/** A way that a project's mail takes, without its host, address and credentials, which are the operator's. */
export interface TransportFigures extends Omit<TransportOutcomes, 'transport'> {
  readonly name: string;
  /** Null for one that mail of the project does not use any more. */
  readonly kind: 'smarthost' | 'direct' | null;
  /** Messages that wait for the next day of its ramp. */
  readonly waiting: number;
  /** Null without a limit. */
  readonly ramp: RampToday | null;
}

type Kinds = ReadonlyMap<string, NonNullable<TransportFigures['kind']>>;

const NONE = { sent: 0, delivered: 0, deferred: 0, bounced: 0 };

/** Reads the transports that mail of a project may take or has taken in the last days, with its outcome; in the order of the settings. */
export async function readTransports(
  { core, projectId }: Context,
  days: number,
): Promise<{ since: Date; transports: readonly TransportFigures[] }> {
  const since = sinceOf(days);
  const kinds = kindsFor(core, projectId);
  const ramps = new Map((core.config.TRANSPORTS?.ramps ?? []).map((ramp) => [ramp.transport, ramp]));
  const [outcomes, waiting] = await Promise.all([
    outcomesByTransport(projectId, since, MOST_COUNTED),
    waitingBy(projectId, [...ramps.keys()].map(rampWait), MOST_COUNTED),
  ]);
  const figures = new Map(outcomes.map(({ transport, ...counts }) => [transport ?? DEFAULT_TRANSPORT, counts]));
  const names = [...new Set([...kinds.keys(), ...figures.keys()])];
  const transports = names.map(async (name) => {
    const ramp = kinds.has(name) ? ramps.get(name) : undefined;
    return {
      ...{ name, kind: kinds.get(name) ?? null, ...NONE, ...figures.get(name) },
      ...{ waiting: waiting.get(rampWait(name)) ?? 0, ramp: ramp ? await rampToday(ramp, Date.now()) : null },
    };
  });
  return { since, transports: await Promise.all(transports) };
}

/** Returns the transports that mail of a project may take, by what they are. */
function kindsFor({ config: { SMTP_URL, TRANSPORTS } }: Pick<Core, 'config'>, projectId: string): Kinds {
  const may = transportsOfProject(TRANSPORTS?.routes ?? [], projectId);
  const all = [...(SMTP_URL === undefined ? [] : [{ name: DEFAULT_TRANSPORT, url: SMTP_URL }]), ...(TRANSPORTS?.transports ?? [])];
  return new Map(all.filter(({ name }) => may.has(name)).map(({ name, url }) => [name, url === 'direct:' ? 'direct' : 'smarthost']));
}
