import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import mongoose from 'mongoose';
import '../../../src/upkeep/migrations/models';
import { plannedShardKeys } from '../../support/checks/shard-keys';

const PAGE = path.resolve(__dirname, '../../../docs/design/sharding.md');

test('the plan for shards has a place for each collection, and for no other', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [, plan = ''] = /\n(\| collection [^]*?)\n\nThe code obeys this plan/.exec(page) ?? [];
  const [table = '', others = ''] = plan.split('\n\nSettings, and what');
  const places = [...table.split('\n').map((row) => row.split('|')[1] ?? ''), others];
  const placed = places.flatMap((place) => [...place.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const collections = Object.values(mongoose.models).map(({ collection }) => collection.collectionName);
  expect(placed.sort()).toEqual(collections.sort());
});

describe('the commands for zones', () => {
  const [MIN, MAX] = ['least', 'most'];
  type Key = Readonly<Record<string, unknown>>;
  const zones: [shard: string, zone: string][] = [];
  const sharded: [name: string, key: Key][] = [];
  const ranges: [name: string, from: Key, to: Key, zone: string][] = [];
  const keys = [...plannedShardKeys()].filter(([, { member }]) => member === 'projectId').map(([name]) => `lettermill.${name}`);

  beforeAll(() => {
    const [, block = ''] = /```js\n([^]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const sh = {
      addShardToZone: (...given: (typeof zones)[number]) => zones.push(given),
      shardCollection: (...given: (typeof sharded)[number]) => sharded.push(given),
      updateZoneKeyRange: (...given: (typeof ranges)[number]) => ranges.push(given),
    };
    runInNewContext(block, { sh, MinKey: () => MIN, MaxKey: () => MAX });
  });

  test('shard each collection whose key begins with the project', () => {
    expect(sharded).toEqual(keys.map((name) => [name, { projectId: 1, _id: 1 }]));
  });

  test('cover all keys of each with ranges of zones that shards are in', () => {
    const least = { projectId: MIN, _id: MIN };
    const most = { projectId: MAX, _id: MAX };
    for (const name of keys) {
      const own = ranges.filter(([of]) => of === name);
      expect([least, ...own.map(([, , to]) => to)]).toEqual([...own.map(([, from]) => from), most]);
    }
    expect(new Set(ranges.map(([, , , zone]) => zone))).toEqual(new Set(zones.map(([, zone]) => zone)));
    expect(ranges).toHaveLength(2 * keys.length);
  });
});
