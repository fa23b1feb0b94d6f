import { domainOf } from '../../platform/addresses';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { policyOf } from '../../rules/policy-refusal';
import { currentHolds, holdId } from './note';
import type { ProviderHold } from './model';
import { providersOf } from '../exchangers';

/** A refusal that was noted here counts here for this long, until the hold itself is known. */
const OWN_MS = 60_000;

interface Passing {
  readonly projectId: string;
  readonly to: string;
}

interface Reply {
  readonly code: number;
  readonly enhanced: string | null;
  readonly text: string;
}

/** Refusals that this process has seen, and when the last one was. */
interface Noted {
  readonly count: number;
  readonly at: number;
}

/**
 * Stops the campaign mail of this process to providers that refuse it, message by message: at once by what this process has seen itself, and within a second by
 * what others have. While nobody refuses anything, it asks nothing.
 */
export class ProviderWatch {
  /** Changes whenever there is another hold: what was checked before is checked again. */
  version = 0;
  private readonly own = new Map<string, Noted>();
  private held = new Map<string, ProviderHold>();

  constructor(private readonly core: Pick<Core, 'config' | 'dns'>) {}

  /** Learns which holds there are. */
  async learn(): Promise<void> {
    this.set(await currentHolds());
  }

  /** Learns the holds of a project, as they were just read. */
  learnOf(projectId: string, rows: readonly ProviderHold[]): void {
    this.set([...[...this.held.values()].filter((row) => row.projectId !== projectId), ...rows]);
  }

  private set(rows: readonly ProviderHold[]): void {
    if (rows.length === 0 && this.held.size === 0) return;
    const before = this.held;
    this.held = new Map(rows.map((row) => [row._id, row]));
    for (const id of new Set([...before.keys(), ...this.held.keys()])) this.own.delete(id);
    if ([...this.held.keys()].some((id) => !before.has(id))) this.version += 1;
  }

  /** Returns whether mail of a project is refused somewhere: then the providers of its recipients have to be known. */
  isAlert(projectId: string): boolean {
    return this.hasHold(projectId) || this.hasNoted(projectId, isFresh);
  }

  /** Resolves when the providers of these addresses are known, as far as DNS says. */
  async lookUp(addresses: readonly string[]): Promise<void> {
    await providersOf(this.core).ofAll(addresses);
  }

  /** Returns whether a message of a campaign may be tried. One whose provider DNS does not say waits while another provider refuses mail of the project. */
  mayTry({ projectId, to }: Passing, emailId: string): boolean {
    if (!this.isAlert(projectId)) return true;
    const provider = providersOf(this.core).ifKnown(domainOf(to));
    if (provider === undefined) return !this.hasHold(projectId) && !this.hasNoted(projectId, (noted) => this.isEnough(noted));
    const id = holdId(projectId, provider);
    const row = this.held.get(id);
    return row ? row.probe === emailId : !this.isReached(id);
  }

  private hasHold(projectId: string): boolean {
    for (const row of this.held.values()) if (row.projectId === projectId) return true;
    return false;
  }

  private hasNoted(projectId: string, test: (noted: Noted) => boolean): boolean {
    for (const [id, noted] of this.own) if (id.startsWith(`${projectId}/`) && test(noted)) return true;
    return false;
  }

  /** Notes what a server answered to a message that it did not take. */
  note({ projectId, to }: Passing, reply: Reply | null): void {
    if (reply === null || policyOf({ code: reply.code, enhanced: reply.enhanced, words: reply.text }) === null) return;
    const domain = domainOf(to);
    const provider = providersOf(this.core).ifKnown(domain);
    if (provider !== undefined) return this.count(holdId(projectId, provider));
    void providersOf(this.core)
      .of(domain)
      .then((found) => this.count(holdId(projectId, found)));
  }

  private count(id: string): void {
    if (this.held.has(id)) return;
    const known = this.own.get(id);
    const count = (known && isFresh(known) ? known.count : 0) + 1;
    this.own.set(id, { count, at: performance.now() });
    if (count === this.core.config.POLICY_REFUSALS) this.version += 1;
  }

  private isReached(id: string): boolean {
    const known = this.own.get(id);
    if (!known) return false;
    if (!isFresh(known)) this.own.delete(id);
    return this.isEnough(known);
  }

  private isEnough(noted: Noted): boolean {
    return isFresh(noted) && noted.count >= this.core.config.POLICY_REFUSALS;
  }
}

const isFresh = ({ at }: Noted): boolean => performance.now() - at < OWN_MS;

export const watchOf = perCore((core: Pick<Core, 'config' | 'dns'>) => new ProviderWatch(core));
