import { DELIVERY_SHARDS, shardOf } from '../../../../src/contracts/delivery';
import { newId } from '../../../../src/platform/core';
import { spreadShard } from '../../../../src/records/emails';

const SECOND = new Date('2026-11-25T12:00:00.100Z');

/** Accepts messages of a project one after another. Returns the shards to which they go. */
const accepted = (projectId: string, count: number, at = SECOND): readonly number[] =>
  Array.from({ length: count }, () => spreadShard(projectId, newId('em'), at));

test("the first twenty messages of a project in a second go to the project's own shard, in each second anew", () => {
  const own = Array.from({ length: 20 }, () => shardOf('prj_few'));
  expect(accepted('prj_few', 20)).toEqual(own);
  accepted('prj_few', 100);
  expect(accepted('prj_few', 20, new Date(SECOND.getTime() + 1_000))).toEqual(own);
});

test('what exceeds them goes on in runs of sixteen, so that what is accepted together is found together', () => {
  const beyond = accepted('prj_many', 20 + 16 * 40).slice(20);
  const runs = Array.from({ length: 40 }, (_, run) => beyond.slice(run * 16, run * 16 + 16));
  for (const run of runs) expect(new Set(run).size).toBe(1);
});

test('a batch goes to all shards alike, one after another', () => {
  const runs = accepted('prj_batch', 20 + 16 * DELIVERY_SHARDS).filter((_shard, index) => index >= 20 && (index - 20) % 16 === 0);
  expect([...runs].sort((left, right) => left - right)).toEqual(Array.from({ length: DELIVERY_SHARDS }, (_, shard) => shard));
});
