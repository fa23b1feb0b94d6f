import type { Context, Core } from '../../platform/core';
import { newestTroubles, outcomesByRecipientDomain, waitingDomains, outcomesByTransport, waitingBy } from '../../records/emails';
import type { DomainOutcomes, TransportOutcomes } from '../../records/emails';
import { policyOf } from '../../rules/policy-refusal';
import { providersOf } from '../exchangers';
import { holdsOf, howToEnd, withoutAddresses } from '../provider-holds';
import type { ProviderHold } from '../provider-holds';
import { currentMeasures } from '../provider-measures';
import type { Measure } from '../provider-measures';
import { DEFAULT_TRANSPORT, transportsOfProject } from '../../rules/transports';
import { rampToday, rampWait } from '../ramps';
import type { RampToday } from '../ramps';

const DAY_MS = 86_400_000;

/** Messages that are counted, the newest ones. */
const MOST_COUNTED = 20_000;

/** Returns from when on messages of the last days are counted. */
const sinceOf = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Domains that are looked up: the others are counted together. */
const MOST_DOMAINS = 100;
const OTHERS = 'other';
/** Replies that are shown of each provider. */
const MOST_REPLIES = 5;
const MOST_CHARACTERS = 300;

/** A reply, and how many messages it kept from being delivered. */
interface Replied {
  readonly reply: string;
  readonly count: number;
}

interface Hold {
  readonly since: Date;
  /** The last one, without addresses. */
  readonly reply: string;
  /** Messages of the project that it refused. */
  readonly refused: number;
  /** The remedy, for people. */
  readonly how: string;
  readonly nextCheckAt: Date | null;
}

/** The outcome of a project's mail to a provider. */
interface ProviderFigures extends Omit<DomainOutcomes, 'domain'> {
  readonly provider: string;
  readonly policyRefusals: number;
  /** The share of delivered messages; null where there are none. */
  readonly complaintRate: number | null;
  /** Why campaigns of the project are held for it; null where they are not. */
  readonly hold: Hold | null;
  /** Limits of the operator on all mail to it now. */
  readonly measures: readonly Pick<Measure, 'do' | 'until' | 'perMinute'>[];
  /** Newest first. */
  readonly replies: readonly Replied[];
}

/** Reads the outcome of the mail of the last days by provider, those with most mail first; then those that have limits and that mail waits for. */
export async function readProviders(
  { core, projectId }: Context,
  days: number,
): Promise<{ since: Date; providers: readonly ProviderFigures[] }> {
  const since = sinceOf(days);
  const [domains, troubles, holds, measures] = await Promise.all([
    outcomesByRecipientDomain(projectId, since, MOST_COUNTED),
    newestTroubles(projectId, since, MOST_COUNTED),
    holdsOf(projectId),
    currentMeasures(),
  ]);
  const waiting = measures.length === 0 ? [] : await waitingDomains(projectId, new Date(), MOST_COUNTED, MOST_DOMAINS);
  const known = new Set(domains.slice(0, MOST_DOMAINS).map(({ domain }) => domain));
  const named = await providersOf(core).ofAll([...known, ...waiting].map(addressAt));
  const providerOf = (domain: string): string => (known.has(domain) ? named(addressAt(domain)) : OTHERS);
  const figures = new Map<string, Figures>();
  const of = (provider: string): Figures => {
    const own = figures.get(provider) ?? new Figures();
    figures.set(provider, own);
    return own;
  };
  for (const outcomes of domains) of(providerOf(outcomes.domain)).add(outcomes);
  for (const { domain, error } of troubles) of(providerOf(domain)).addReply(error);
  const held = new Map(holds.map((hold) => [hold.provider, shownHold(hold)]));
  for (const provider of held.keys()) of(provider);
  const measuresOf = (provider: string): ProviderFigures['measures'] =>
    measures.filter((one) => one.provider === provider).map(shownMeasure);
  for (const provider of waiting.map((domain) => named(addressAt(domain)))) if (measuresOf(provider).length > 0) of(provider);
  return {
    since,
    providers: [...figures].map(([provider, own]) => ({
      provider,
      hold: held.get(provider) ?? null,
      measures: measuresOf(provider),
      ...own.all,
    })),
  };
}

const shownHold = (hold: ProviderHold): Hold => {
  const { since, reply, refused, nextCheckAt } = hold;
  return { since: since ?? new Date(0), reply, refused, nextCheckAt, how: howToEnd(hold) };
};

/** Leaves the reply out: it may be about the mail of another project. */
const shownMeasure = ({ do: what, until, perMinute }: Measure) => ({ do: what, until, ...(perMinute !== undefined && { perMinute }) });

const addressAt = (domain: string): string => `@${domain}`;

class Figures {
  private readonly counts = { sent: 0, delivered: 0, deferred: 0, bounced: 0, complained: 0 };
  private policyRefusals = 0;
  private readonly replies = new Map<string, number>();

  add(outcomes: DomainOutcomes): void {
    for (const name of NAMES) this.counts[name] += outcomes[name];
  }

  addReply(error: string): void {
    const code = /^([45]\d\d) /.exec(error)?.[1];
    if (code === undefined) return;
    if (policyOf({ code: Number(code), enhanced: null, words: error.slice(code.length + 1) }) !== null) this.policyRefusals++;
    const reply = withoutAddresses(error).slice(0, MOST_CHARACTERS);
    const times = this.replies.get(reply);
    if (times !== undefined || this.replies.size < MOST_REPLIES) this.replies.set(reply, (times ?? 0) + 1);
  }

  get all(): Omit<ProviderFigures, 'provider' | 'hold' | 'measures'> {
    const { counts, policyRefusals } = this;
    const complaintRate = counts.delivered > 0 ? counts.complained / counts.delivered : null;
    return { ...counts, policyRefusals, complaintRate, replies: [...this.replies].map(([reply, count]) => ({ reply, count })) };
  }
}

const NAMES = ['sent', 'delivered', 'deferred', 'bounced', 'complained'] as const;

/** A way that a project's mail takes, without its host, address and credentials, which are the operator's. */
interface TransportFigures extends Omit<TransportOutcomes, 'transport'> {
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
      name,
      kind: kinds.get(name) ?? null,
      ...NONE,
      ...figures.get(name),
      waiting: waiting.get(rampWait(name)) ?? 0,
      ramp: ramp ? await rampToday(ramp, Date.now()) : null,
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
