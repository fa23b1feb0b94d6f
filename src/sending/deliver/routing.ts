import { LRUCache } from 'lru-cache';
import { domainOf } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import type { Email } from '../../records/emails';
import { DEFAULT_TRANSPORT, asksProvider, transportsFor } from '../../rules/transports';
import type { RoutedMail, TransportRoute } from '../../rules/transports';
import { providersOf } from '../exchangers';
import type { SmtpOutcome } from '@lettermill/smtp';
import type { ProviderRule } from '../../rules/provider-rules';
import type { Ramp } from '../../rules/ramps';
import { isSimulated } from '../../rules/simulator';
import { ProviderLimits } from './provider-limits';
import { FREE, Ramps } from './ramps';
import type { Room } from './ramps';
import { NO_LEAVE, leaveAll } from './taker';
import type { Answer, Gate, Leave, Passing, Waits } from './transport';

/** Shorter than the time for which the exchange book keeps DNS answers. */
const PROVIDER_MS = 60_000;
const DOMAINS = 20_000;
const SOON = { wait: 'soon' } as const;

/** A message as its transports are chosen. */
export type Routed = RoutedMail & Pick<Email, 'to'> & Partial<Pick<Email, 'attempt' | 'transport' | 'testMode'>>;

/** Undefined while it is looked up, null where nobody asks. */
type Provider = string | null | undefined;

interface RoutingRules {
  readonly routes: readonly TransportRoute[];
  readonly rules: readonly ProviderRule[];
  readonly ramps: readonly Ramp[];
}

/**
 * Chooses transports for messages, and asks their gates. A message goes over the first of its transports whose server is not left alone. One that a server may
 * have already waits for that server's transport.
 */
export class Routing implements Gate {
  changed: () => void = () => undefined;
  private readonly routes: readonly TransportRoute[];
  private readonly providers = new LRUCache<string, string>({ max: DOMAINS, ttl: PROVIDER_MS });
  private readonly asked = new Set<string>();
  private readonly asksProvider: boolean;
  private readonly asksOfCampaigns: boolean;
  private readonly limits: ProviderLimits | null;
  private readonly ramps: Ramps | null;
  /** Messages of campaigns that are on the wire. */
  private readonly begun = new WeakMap<object, Leave>();

  constructor(
    private readonly core: Pick<Core, 'config' | 'dns' | 'log'>,
    { routes, rules, ramps }: RoutingRules,
    private readonly gates: ReadonlyMap<string, Gate>,
    now: () => number = Date.now,
  ) {
    this.routes = routes;
    this.ramps = ramps.length > 0 ? new Ramps(core, ramps, () => this.changed(), now) : null;
    this.asksProvider = rules.length > 0 || asksProvider(routes) || this.ramps?.asksProvider === true;
    this.limits = rules.length > 0 ? new ProviderLimits(core, rules, () => this.changed()) : null;
    this.asksOfCampaigns = this.limits !== null || this.ramps?.asksProvider === true;
    for (const gate of gates.values()) gate.changed = () => this.changed();
  }

  get open(): boolean {
    for (const gate of this.gates.values()) if (gate.open) return true;
    return false;
  }

  ask(mail: Routed): Answer {
    const names = this.transportsOf(mail);
    if (names === null) return SOON;
    const provider = this.asksProvider ? this.providerOf(domainOf(mail.to)) : null;
    const waits = this.limitOf(provider);
    if (waits !== null) return waits;
    const answer = this.askFirst(names, mail, provider);
    return 'go' in answer ? { ...answer, go: leaveAll(answer.go, this.takeOf(provider)) } : answer;
  }

  /** Asks the gates of the transports that work, in their order. */
  private askFirst(names: readonly string[], mail: Routed, provider: Provider): Answer {
    const refused: Waits[] = [];
    for (const name of names.filter((one) => this.isOpen(one))) {
      const answer = this.askOver(name, mail, provider);
      if ('go' in answer) return answer;
      refused.push(answer);
      // One that is only busy is waited for.
      if ('wait' in answer || answer.other === false) break;
    }
    // A day that is full is waited for where no transport has room; one that does not work now may have.
    const first = refused.find((answer) => !isFull(answer)) ?? (refused.length === names.length ? refused[0] : undefined);
    return first === undefined || ('wait' in first && first.wait === 'all') ? SOON : first;
  }

  private askOver(name: string, mail: Routed, provider: Provider): Answer {
    const goesNowhere = mail.testMode === true || isSimulated(mail.to, this.core.config.PLATFORM_DOMAIN);
    const room = goesNowhere ? FREE : this.roomOf(name, provider, mail._id);
    if (room === 'soon') return SOON;
    if (!('take' in room)) return room;
    const answer = this.gateOf(name).ask(mail);
    return 'go' in answer ? { go: leaveAll(answer.go, room.take(mail._id)), over: name } : answer;
  }

  /** Lends a lane to campaign mail of a project where any transport lets it: what its messages take is known later. */
  lend(projectId: string): Leave | null {
    for (const gate of this.gates.values()) {
      const leave = gate.open ? gate.lend(projectId) : null;
      if (leave) return leave;
    }
    return null;
  }

  mayTry(mail: Passing): boolean {
    const name = mail.over ?? DEFAULT_TRANSPORT;
    if (!this.isOpen(name)) return false;
    const provider = this.asksOfCampaigns ? this.providerOf(domainOf(mail.to)) : null;
    if (this.limitOf(provider) !== null) return false;
    const room = this.roomOf(name, provider);
    if (room === 'soon' || !('take' in room) || !this.gateOf(name).mayTry(mail)) return false;
    this.begun.set(mail, this.takeOf(provider));
    room.take(mail);
    return true;
  }

  private limitOf(provider: Provider): Answer | null {
    return this.limits && provider ? this.limits.waits(provider) : null;
  }

  private takeOf(provider: Provider): Leave {
    return this.limits && provider ? this.limits.take(provider) : NO_LEAVE;
  }

  private roomOf(name: string, provider: Provider, id?: string): Room {
    return this.ramps ? this.ramps.ask(name, provider, id) : FREE;
  }

  /** Notes what came of a message with the server of a transport. `envelope`: as it was asked about, where it is of a campaign. */
  note(envelope: Passing & { readonly email?: Pick<Email, '_id'> }, outcome: SmtpOutcome): void {
    this.ramps?.settle(envelope.email?._id ?? envelope, outcome);
    if (!this.limits) return;
    const provider = this.providerOf(domainOf(envelope.to));
    if (provider) this.limits.note(provider, envelope.projectId, outcome);
    this.begun.get(envelope)?.();
    this.begun.delete(envelope);
  }

  /** Resolves to the transport to try after those that were tried; undefined when there is none that works. */
  async next(mail: Routed, tried: ReadonlySet<string>): Promise<string | undefined> {
    const provider = this.asksProvider ? (this.providerOf(domainOf(mail.to)) ?? null) : null;
    for (const name of this.transportsOf(mail) ?? []) {
      const mayGo = !tried.has(name) && this.isOpen(name);
      if (mayGo && (this.ramps === null || (await this.ramps.claim(name, provider, mail._id)))) return name;
    }
    return undefined;
  }

  /** Resolves to the transport of each of some new messages. */
  async chooseFor(mails: readonly Routed[]): Promise<readonly string[]> {
    const providerOf = this.asksProvider ? await providersOf(this.core).ofAll(mails.map(({ to }) => to)) : null;
    const choices = mails.map((mail) => {
      const provider = providerOf && providerOf(mail.to);
      const names = transportsFor(this.routes, mail, provider);
      const open = names.filter((name) => this.isOpen(name));
      return { id: mail._id, provider, names: open.length > 0 ? open : names };
    });
    if (this.ramps) return this.ramps.assign(choices);
    return choices.map(({ names }) => names[0] ?? DEFAULT_TRANSPORT);
  }

  /** Gives back what was reserved and not used. */
  async close(): Promise<void> {
    await this.ramps?.close();
  }

  private isOpen(name: string): boolean {
    return this.gates.get(name)?.open === true;
  }

  private gateOf(name: string): Gate {
    const gate = this.gates.get(name);
    if (!gate) throw new Error(`There is no transport ${name}`);
    return gate;
  }

  /** Returns the transports of a message, the first to try first; null while its provider is looked up. */
  private transportsOf(mail: Routed): readonly string[] | null {
    const { transport, attempt } = mail;
    if (transport && (transport.inDoubt || attempt?.lost) && this.gates.has(transport.name)) return [transport.name];
    const provider = this.asksProvider ? this.providerOf(domainOf(mail.to)) : null;
    return provider === undefined ? null : transportsFor(this.routes, mail, provider);
  }

  private providerOf(domain: string): string | undefined {
    const known = this.providers.get(domain);
    if (known !== undefined || this.asked.has(domain)) return known;
    this.asked.add(domain);
    void providersOf(this.core)
      .of(domain)
      .then((provider) => {
        this.asked.delete(domain);
        this.providers.set(domain, provider);
        this.changed();
      });
    return undefined;
  }
}

const isFull = (answer: Waits): boolean => 'laterMs' in answer && answer.other === true;
