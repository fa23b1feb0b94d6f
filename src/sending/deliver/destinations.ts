import { LRUCache } from 'lru-cache';
import { domainOf } from '../../platform/addresses';
import type { Logger } from '../../platform/log';
import type { SmtpOutcome } from '@lettermill/smtp';
import { Breaker } from '../../platform/fair';
import type { BreakerTimes } from '../../platform/fair';
import type { ExchangeBook, Route } from '../exchangers';
import { Flows } from './flows';
import { Shares, Taker, shareOf, NO_LEAVE, leaveAll } from './taker';
import type { Answer, Gate, Leave, Passing } from './transport';
import { verdictOfServer } from './verdicts';

const EXCHANGER_TIMES: BreakerTimes = {
  pausesMs: [15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000],
  storm: 20,
  stormMs: 60_000,
};

interface Host {
  readonly taker: Taker;
  readonly byProject: Shares;
}

const FIRST_ALLOWANCE = 2;
const HOSTS = 20_000;
/** Shorter than the time for which the exchange book keeps DNS answers. */
const ROUTE_MS = 60_000;

/**
 * Shares the lanes among mail exchangers (`SMTP_URL=direct:`). One that is not known to work has two lanes, and all such together half of all lanes; each
 * accepted message doubles its allowance, up to three quarters; a project without a lane gets one more. One that did not answer, or said 421, before it knew of a message is left alone, for longer
 * each time, and its messages wait without spending an attempt. What fails later concerns the mail of a project to a domain (`flows.ts`).
 */
export class Destinations implements Gate {
  readonly open = true;
  changed: () => void = () => undefined;
  private readonly hosts = new LRUCache<string, Host>({ max: HOSTS });
  private readonly routes = new LRUCache<string, Route>({ max: HOSTS, ttl: ROUTE_MS });
  private readonly asked = new Set<string>();
  private readonly flows: Flows;
  private unknownBusy = 0;

  constructor(
    private readonly book: ExchangeBook,
    private readonly lanes: number,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly times: BreakerTimes = EXCHANGER_TIMES,
  ) {
    this.flows = new Flows(lanes, () => this.changed());
  }

  ask(mail: Passing): Answer {
    const domain = domainOf(mail.to);
    const route = this.routes.get(domain) ?? this.lookUp(domain);
    if (!route) return { wait: 'soon' };
    const names = namesOf(route, domain);
    const name = names.find((host) => this.restMs(host) === 0);
    if (name === undefined) return { laterMs: Math.min(...names.map((host) => this.restMs(host))) };
    return this.flows.waits(mail) ?? this.laneOf(this.hostOf(name), mail);
  }

  lend(projectId: string): Leave | null {
    return this.flows.lend(projectId);
  }

  mayTry(mail: Passing): boolean {
    const domain = domainOf(mail.to);
    const route = this.routes.get(domain) ?? this.lookUp(domain);
    if (route && namesOf(route, domain).every((host) => this.restMs(host) > 0)) return false;
    return this.flows.mayTry(mail);
  }

  /** Returns for how much longer an exchanger is left alone. */
  restMs(name: string): number {
    return this.hosts.get(name)?.taker.restMs ?? 0;
  }

  /** Notes the outcome of an attempt at an exchanger. */
  note(name: string, mail: Passing, outcome: SmtpOutcome): void {
    this.hostOf(name).taker.note(verdictOfServer(outcome));
    this.flows.note(mail, outcome);
  }

  private laneOf({ taker, byProject }: Host, mail: Passing): Answer {
    const unknown = taker.isUnknown;
    // Mail of a project that holds all of a host's lanes holds up no other project's.
    const hasRoom = taker.hasRoom || (!taker.onTrial && byProject.of(mail.projectId) === 0);
    const full = !hasRoom || (unknown && this.unknownBusy >= Math.max(1, Math.floor(this.lanes / 2)));
    if (full) return { wait: unknown ? 'long' : 'soon' };
    return { go: leaveAll(this.flows.take(mail), taker.take(), byProject.take(mail.projectId), unknown ? this.takeUnknown() : NO_LEAVE) };
  }

  private takeUnknown(): Leave {
    this.unknownBusy++;
    return () => void this.unknownBusy--;
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
      this.log.warn({ exchanger: name, pauseMs, failures }, 'Mail to an exchanger is paused'),
    );
    const taker = new Taker(breaker, { first: FIRST_ALLOWANCE, most: shareOf(this.lanes), trial: 1 });
    const host: Host = { taker, byProject: new Shares(this.lanes) };
    this.hosts.set(name, host);
    return host;
  }
}

const namesOf = (route: Route, domain: string): readonly string[] =>
  route.kind === 'hosts' ? route.hosts : [`the exchangers of ${domain}`];
