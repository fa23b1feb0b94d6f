import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Rounds } from '../src/contracts/rounds';

const SHORTEST_WAIT_MS = 1_000;

/**
 * Does a work in rounds, so that what is repeated every few seconds is one run in ten minutes and not sixty. A round that fails ends the run: its schedule begins
 * the next one.
 */
export async function inRounds({ rounds, everyMs }: Rounds, work: () => Promise<void>): Promise<void> {
  for (let round = 1; ; round++) {
    const began = Date.now();
    await work();
    if (round >= rounds) return;
    setCurrentDetails(`${round} of ${rounds} rounds are done`);
    const waitMs = Math.max(SHORTEST_WAIT_MS, everyMs - (Date.now() - began));
    await sleep(waitMs, { summary: `until round ${round + 1} of ${rounds}` });
  }
}
