import { LRUCache } from 'lru-cache';
import { domainOf } from '../../platform/addresses';
import type { Email } from '../../records/emails';
import type { Logger } from '../../platform/log';
import type { SmtpOutcome } from '../../message/smtp-client';
import { Breaker } from '../../platform/async';
import type { BreakerTimes } from '../../platform/async';
import type { ExchangeBook, Route } from './exchanges';
import { verdictOf } from './transport';
import type { Answer, Gate, Leave } from './transport';

const EXCHANGER_TIMES: BreakerTimes = {
  pausesMs: [15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000],
  storm: 20,
  stormMs: 60_000,
};

interface Host {
  readonly breaker: Breaker;
  /** Lanes that it may use at once: few until it has accepted messages. */
  allowance: number;
  busy: number;
}

const FIRST_ALLOWANCE = 2;
const HOSTS = 20_000;
/** Shorter than the time for which the exchange book keeps DNS answers. */
const ROUTE_MS = 60_000;

/**
 * Shares the lanes among mail exchangers (`SMTP_URL=direct:`). One that is not known to work has two lanes, and all such together half of all lanes; each
 * accepted message doubles its allowance, up to three quarters. A project has three quarters at most. One that did not answer, or said 421, is
 * left alone, for longer each time, and its messages wait without spending an attempt.
 */
export class Destinations implements Gate {
  readonly open = true;
  changed: () => void = () => undefined;
  private readonly hosts = new LRUCache<string, Host>({ max: HOSTS });
  private readonly routes = new LRUCache<string, Route>({ max: HOSTS, ttl: ROUTE_MS });
  private readonly asked = new Set<string>();
  private readonly byProject = new Map<string, number>();
  private unknownBusy = 0;
  private readonly most: number;

  constructor(
    private readonly book: ExchangeBook,
    private readonly lanes: number,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly times: BreakerTimes = EXCHANGER_TIMES,
  ) {
    this.most = Math.max(1, Math.ceil((lanes * 3) / 4));
  }

  ask({ to, projectId }: Pick<Email, 'to' | 'projectId'>): Answer {
    const domain = domainOf(to);
    const route = this.routes.get(domain) ?? this.lookUp(domain);
    if (!route) return { wait: 'soon' };
    const names = route.kind === 'hosts' ? route.hosts : [`the exchangers of ${domain}`];
    const name = names.find((host) => this.restMs(host) === 0);
    if (name === undefined) return { laterMs: Math.min(...names.map((host) => this.restMs(host))) };
    if ((this.byProject.get(projectId) ?? 0) >= this.most) return { wait: 'soon' };
    return this.laneOf(this.hostOf(name), projectId);
  }

  /** Returns for how much longer an exchanger is left alone. */
  restMs(name: string): number {
    return this.hosts.get(name)?.breaker.restMs ?? 0;
  }

  /** Notes the outcome of an attempt at an exchanger. */
  note(name: string, outcome: SmtpOutcome): void {
    const host = this.hostOf(name);
    const verdict = verdictOf(outcome);
    host.breaker.note(verdict);
    if (host.breaker.onTrial) host.allowance = 1;
    else if (verdict === 'well') host.allowance = Math.min(this.most, host.allowance * 2);
  }

  private laneOf(host: Host, projectId: string): Answer {
    const unknown = host.allowance <= FIRST_ALLOWANCE;
    const full = host.busy >= host.allowance || (unknown && this.unknownBusy >= Math.max(1, Math.floor(this.lanes / 2)));
    if (full) return { wait: unknown ? 'long' : 'soon' };
    return { go: this.taken(host, projectId, unknown) };
  }

  private taken(host: Host, projectId: string, unknown: boolean): Leave {
    this.count(host, projectId, unknown, 1);
    return () => this.count(host, projectId, unknown, -1);
  }

  private count(host: Host, projectId: string, unknown: boolean, by: 1 | -1): void {
    host.busy += by;
    if (unknown) this.unknownBusy += by;
    const busy = (this.byProject.get(projectId) ?? 0) + by;
    if (busy > 0) this.byProject.set(projectId, busy);
    else this.byProject.delete(projectId);
  }

  private lookUp(domain: string): undefined {
    if (this.asked.has(domain)) return;
    this.asked.add(domain);
    void this.book.routeTo(domain).then((route) => {
      this.asked.delete(domain);
      this.routes.set(domain, route);
      this.changed();
    });
  }

  private hostOf(name: string): Host {
    const known = this.hosts.get(name);
    if (known) return known;
    const breaker = new Breaker(this.times, (pauseMs, failures) =>
      this.log.warn({ exchanger: name, pauseMs, failures }, 'A mail exchanger is left alone for a while'),
    );
    const host: Host = { breaker, allowance: FIRST_ALLOWANCE, busy: 0 };
    this.hosts.set(name, host);
    return host;
  }
}
