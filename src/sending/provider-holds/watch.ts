import { domainOf } from '../../platform/addresses';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { policyOf } from '../../rules/policy-refusal';
import { currentHolds, holdId } from './holds';
import type { ProviderHold } from './model';
import { providersOf } from './providers';

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

/**
 * Stops the campaign mail of this process to providers that refuse it, message by message: at once by what this process has seen itself, and within a second by
 * what others have. While nobody refuses anything, it asks nothing.
 */
export class ProviderWatch {
  /** Changes whenever there is another hold: what was judged before is judged again. */
  version = 0;
  private readonly own = new Map<string, { count: number; at: number }>();
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

  /** Whether mail of a project is refused somewhere: then the providers of its recipients have to be known. */
  isAlert(projectId: string): boolean {
    if (this.own.size === 0 && this.held.size === 0) return false;
    return this.keysOf(projectId).length > 0;
  }

  /** Resolves when the providers of these addresses are known, as far as DNS says. */
  async lookUp(addresses: readonly string[]): Promise<void> {
    await providersOf(this.core).ofAll(addresses);
  }

  /** Whether a message of a campaign may be tried. One whose provider DNS does not say waits while another provider refuses mail of the project. */
  mayTry({ projectId, to }: Passing, emailId: string): boolean {
    if (!this.isAlert(projectId)) return true;
    const provider = providersOf(this.core).ifKnown(domainOf(to));
    if (provider === undefined) return !this.keysOf(projectId).some((id) => this.held.has(id) || this.isReached(id));
    const id = holdId(projectId, provider);
    const row = this.held.get(id);
    return row ? row.probe === emailId : !this.isReached(id);
  }

  private keysOf(projectId: string): readonly string[] {
    return [...this.own.keys(), ...this.held.keys()].filter((id) => id.startsWith(`${projectId}/`));
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
    return isFresh(known) && known.count >= this.core.config.POLICY_REFUSALS;
  }
}

const isFresh = ({ at }: { readonly at: number }): boolean => performance.now() - at < OWN_MS;

export const watchOf = perCore((core: Pick<Core, 'config' | 'dns'>) => new ProviderWatch(core));
