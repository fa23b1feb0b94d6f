import type { Core } from '../../platform/core';
import type { TransportSettings } from '../../platform/config';
import { DEFAULT_TRANSPORT, leavesMail } from '../../rules/transports';
import { StreamRoom, parseSmtpUrl } from '@lettermill/smtp';
import type { MailFeed, SmtpOutcome } from '@lettermill/smtp';
import { exchangeBookOf, providerAt } from '../exchangers';
import { Destinations } from './destinations';
import { DirectTransport } from './direct';
import type { DirectOptions } from './direct';
import type { OutcomeRules } from './outcome';
import { RoutedTransport } from './routed';
import { Routing } from './routing';
import { KeptConnection, Lane, connectionCounts } from './transport';
import type { Gate, Transport, Answer, Leave, OwnedEnvelope, OwnedMail, Passing } from './transport';
import { domainOf } from '../../platform/addresses';
import { pause } from '../../platform/async';
import { Breaker } from '../../platform/fair';
import type { BreakerTimes } from '../../platform/fair';
import type { Logger } from '../../platform/log';
import { Flows } from './flows';
import { Taker, leaveAll } from './taker';
import { verdictOfServer } from './verdicts';

export interface Lanes {
  readonly lanes: readonly Lane[];
  readonly gate: Gate;
  /** Absent where there is one transport. */
  readonly routing?: Routing;
}

/** A way that mail can take: the one of SMTP_URL, or one of TRANSPORTS. */
type TransportAt = Pick<TransportSettings['transports'][number], 'name' | 'url' | 'sourceAddress' | 'hello'> &
  Pick<DirectOptions, 'mostOver'>;

interface Way {
  readonly transport: () => Transport;
  readonly gate: Gate;
  readonly rules: OutcomeRules;
}

/** Creates a worker's SMTP_CONNECTIONS lanes, and the gate that shares them. Throws an Error when the settings of its transports are missing or bad. */
export function makeLanes(core: Core, mayWrite: () => boolean): Lanes {
  const { SMTP_URL, TRANSPORTS } = core.config;
  if (TRANSPORTS) return routedLanes(core, TRANSPORTS, mayWrite);
  if (!SMTP_URL) throw new Error('SMTP_URL is required where mail is delivered');
  const { transport, gate, rules } = wayOf(core, { name: DEFAULT_TRANSPORT, url: SMTP_URL }, mayWrite);
  return { lanes: eachLane(core, () => new Lane(core, transport(), rules)), gate };
}

const eachLane = <T>({ config }: Core, make: () => T): readonly T[] => Array.from({ length: config.SMTP_CONNECTIONS }, make);

function routedLanes(core: Core, { transports, routes, rules: forProviders, ramps }: TransportSettings, mayWrite: () => boolean): Lanes {
  const { SMTP_URL } = core.config;
  const asked = routes.flatMap(({ use, fallback }) => [...use.map(({ transport }) => transport), ...fallback]);
  if (!SMTP_URL && (leavesMail(routes) || asked.includes(DEFAULT_TRANSPORT)))
    throw new Error('SMTP_URL is required: no route of TRANSPORTS is for all other mail, or one names the transport “default”');
  const all = [...(SMTP_URL ? [{ name: DEFAULT_TRANSPORT, url: SMTP_URL }] : []), ...transports];
  const most = new Map(forProviders.map(({ provider, messagesPerConnection }) => [provider, messagesPerConnection]));
  const mostOver = (exchanger: string): number | undefined => most.get(providerAt(exchanger));
  const ways = new Map(all.map((one) => [one.name, wayOf(core, { ...one, mostOver }, mayWrite)] as const));
  const routing = new Routing(core, { routes, rules: forProviders, ramps }, new Map([...ways].map(([name, { gate }]) => [name, gate])));
  const rules = new Map([...ways].map(([name, way]) => [name, way.rules]));
  const transport = (): Transport =>
    new RoutedTransport(
      core,
      routing,
      new Map([...ways].map(([name, way]) => [name, { transport: way.transport(), isDirect: way.rules.route === 'direct' }])),
    );
  const [first] = rules.values();
  return { lanes: eachLane(core, () => new Lane(core, transport(), first as OutcomeRules, rules)), gate: routing, routing };
}

function wayOf(core: Core, at: TransportAt, mayWrite: () => boolean): Way {
  const { SMTP_RETRY_SECONDS, SMTP_ACCEPTED_IS_DELIVERED } = core.config;
  const direct = at.url === 'direct:';
  const rules: OutcomeRules = {
    route: direct ? 'direct' : 'smarthost',
    retrySeconds: SMTP_RETRY_SECONDS,
    acceptedIsDelivered: direct || SMTP_ACCEPTED_IS_DELIVERED,
  };
  return { ...(direct ? directly(core, at, mayWrite) : overSmarthost(core, at, mayWrite)), rules };
}

function directly(core: Core, { name, sourceAddress, hello, mostOver }: TransportAt, mayWrite: () => boolean): Omit<Way, 'rules'> {
  const { BOUNCE_DOMAIN, SMTP_CONNECTIONS: keep } = core.config;
  const book = exchangeBookOf(core);
  const destinations = new Destinations(book, keep, core.log);
  const ours = { clientName: hello ?? BOUNCE_DOMAIN, observer: connectionCounts(name) };
  const shared = new DirectTransport(book, { ...ours, mayWrite, keep, destinations, sourceAddress, mostOver });
  return { transport: () => shared, gate: destinations };
}

function overSmarthost(
  { config, log }: Core,
  { name, url, sourceAddress, hello }: TransportAt,
  mayWrite: () => boolean,
): Omit<Way, 'rules'> {
  const route = { ...parseSmtpUrl(url), localAddress: sourceAddress };
  const reportDelivery = !config.SMTP_ACCEPTED_IS_DELIVERED;
  const gate = new SmarthostGate(config.SMTP_CONNECTIONS, log);
  // One for all connections stays in the processor's cache.
  const room = new StreamRoom();
  const ours = { clientName: hello ?? config.BOUNCE_DOMAIN, observer: connectionCounts(name) };
  const connection = (): KeptConnection => new KeptConnection({ ...ours, route, mayWrite, reportDelivery }, undefined, room);
  return { transport: () => gate.watched(connection()), gate };
}

/** Short pauses, as all mail depends on the smarthost. */
const SMARTHOST_TIMES: BreakerTimes = { pausesMs: [1_000, 2_000, 4_000, 8_000, 15_000], storm: 20, stormMs: 10_000 };
const TRIAL_LANES = 2;
const ALL = { wait: 'all' } as const;
const SOON = { wait: 'soon' } as const;

/**
 * Slows sending while the smarthost says 421, refuses all mail temporarily, or does not answer, before it knows of a message: nothing is begun for a while,
 * then two messages of different projects to different domains, then twice as many with each that it accepts. Messages that wait meanwhile spend no
 * attempt. What fails later concerns the mail of a project to a domain (`flows.ts`).
 */
export class SmarthostGate implements Gate {
  changed: () => void = () => undefined;
  private readonly server: Taker;
  private readonly flows: Flows;
  /** The latest message that was begun. */
  private begun: Passing | null = null;

  constructor(lanes: number, log: Pick<Logger, 'warn'>, times: BreakerTimes = SMARTHOST_TIMES) {
    const breaker = new Breaker(times, (pauseMs, failures) => {
      log.warn({ pauseMs, failures }, 'Mail to the smarthost is paused');
      setTimeout(() => this.changed(), pauseMs + 1).unref();
    });
    this.server = new Taker(breaker, { first: lanes, most: lanes, trial: Math.min(TRIAL_LANES, lanes) });
    this.flows = new Flows(lanes, () => this.changed());
  }

  get open(): boolean {
    return this.server.restMs === 0;
  }

  ask(mail: Passing): Answer {
    if (!this.open || !this.server.hasRoom) return ALL;
    const waits = this.flows.waits(mail);
    if (waits) return waits;
    return this.isTriedFor(mail) ? SOON : { go: this.begin(mail, this.flows.take(mail)) };
  }

  lend(projectId: string): Leave | null {
    const mail = { projectId, to: '' };
    if (!this.open || !this.server.hasRoom || this.isTriedFor(mail)) return null;
    const leave = this.flows.lend(projectId);
    return leave && this.begin(mail, leave);
  }

  mayTry(mail: Passing): boolean {
    return this.flows.mayTry(mail);
  }

  /** Wraps a connection to the smarthost: waits while the smarthost is left alone, and notes the outcomes. A stream ends then. */
  watched(connection: Transport): Transport {
    return {
      send: async (envelope: OwnedEnvelope, message: string): Promise<SmtpOutcome> => {
        while (!this.open) await pause(this.server.restMs);
        const outcome = await connection.send(envelope, message);
        this.server.note(verdictOfServer(outcome));
        this.flows.note(envelope, outcome);
        return outcome;
      },
      stream: <M extends OwnedMail>(feed: MailFeed<M>): Promise<void> =>
        connection.stream<M>({
          next: () => (this.open ? feed.next() : undefined),
          done: (mail, outcome) => {
            this.server.note(verdictOfServer(outcome));
            this.flows.noteStreamed(mail.envelope, outcome);
            feed.done(mail, outcome);
          },
        }),
      close: () => connection.close(),
      destroy: () => connection.destroy(),
    };
  }

  private begin(mail: Passing, leave: Leave): Leave {
    this.begun = mail;
    return leaveAll(this.server.take(), leave);
  }

  /** Returns whether mail of the project, or to the domain, is on the wire while the smarthost is on trial. */
  private isTriedFor({ projectId, to }: Passing): boolean {
    if (!this.server.onTrial || this.server.busy === 0 || this.begun === null) return false;
    return this.begun.projectId === projectId || domainOf(this.begun.to) === domainOf(to);
  }
}
