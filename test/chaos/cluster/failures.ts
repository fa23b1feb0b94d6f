import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '../../support/platform/platform';
import type { Chance } from '../chance';
import { CONNECTIONS, LEDGER_CHUNK } from './parts';
import type { Cluster } from './parts';

const CUT = 'cut off from ';

export type Failure =
  | 'step-down'
  | 'primary killed'
  | 'secondary killed'
  | 'api killed'
  | 'worker killed'
  | 'smtp killed'
  | `${typeof CUT}MongoDB`
  | `${typeof CUT}the mail server`;

const LONGEST_DOWN_MS = 3_000;

/** Messages that each may have repeated: those of the worker in doubt. */
const REPEATED: Partial<Record<Failure, number>> = {
  'worker killed': LEDGER_CHUNK + CONNECTIONS,
  'cut off from MongoDB': LEDGER_CHUNK + CONNECTIONS,
  'cut off from the mail server': CONNECTIONS,
};

/** Returns how many messages may be repeated after all of these. */
export const boundOf = (failures: readonly Failure[]): number => failures.reduce((sum, each) => sum + (REPEATED[each] ?? 0), 0);

/** What fails in a cluster. */
class Failing {
  private cuts = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly chance: Chance,
    /** The shortest and the longest black hole, in milliseconds. */
    private readonly holeMs: readonly [least: number, most: number],
  ) {}

  /** Has one thing fail and come back. Resolves to how it is called in the figures. */
  async one(failure: Failure): Promise<string> {
    if (failure === 'step-down') await this.cluster.set.stepDown();
    else if (failure === 'cut off from MongoDB' || failure === 'cut off from the mail server') return this.cut(failure);
    else await this.kill(failure);
    return failure;
  }

  private async kill(failure: Failure): Promise<void> {
    const { apis, workers, smtps, set } = this.cluster;
    if (failure === 'primary killed' || failure === 'secondary killed') {
      const primary = await set.primary();
      const member = failure === 'primary killed' ? primary : this.oneOf(set.members.filter((each) => each !== primary));
      await this.killed(member, () => member.restart());
    } else {
      const part = this.oneOf<Part>(failure === 'api killed' ? apis : failure === 'worker killed' ? workers : smtps);
      await this.killed(part, () => part.start());
    }
  }

  private async killed(victim: Pick<Part, 'kill9'>, again: () => Promise<void>): Promise<void> {
    await victim.kill9();
    await pause(this.chance.below(LONGEST_DOWN_MS));
    await again();
  }

  /** One machine after the other. */
  private async cut(failure: `${typeof CUT}MongoDB` | `${typeof CUT}the mail server`): Promise<string> {
    const [least, most] = this.holeMs;
    const ms = least + this.chance.below(most - least);
    const { wires } = this.cluster;
    await wires[this.cuts++ % wires.length]?.cut(failure === `${CUT}MongoDB` ? 'MongoDB' : 'the mail server', ms);
    return `${failure} for ${Math.round(ms / 1_000)} s`;
  }

  private oneOf<T>(items: readonly T[]): T {
    return items[this.chance.below(items.length)] as T;
  }
}

/** Has one thing fail after another at moments that chance decides; all is whole again before the next. Resolves to what failed. */
export async function failAll(
  cluster: Cluster,
  { failures, holeMs }: { readonly failures: readonly Failure[]; readonly holeMs: readonly [number, number] },
  chance: Chance,
): Promise<readonly string[]> {
  const failing = new Failing(cluster, chance, holeMs);
  const failed: string[] = [];
  for (const failure of chance.shuffled(failures)) {
    await pause(500 + chance.below(3_000));
    failed.push(await failing.one(failure));
    await cluster.whole();
  }
  return failed;
}
