import { readFileSync } from 'node:fs';
import path from 'node:path';
import mongoose from 'mongoose';
import '../../../src/upkeep/migrations/models';

test('the plan for shards has a place for each collection, and for no other', () => {
  const page = readFileSync(path.resolve(__dirname, '../../../docs/design/sharding.md'), 'utf8');
  const [, plan = ''] = /\n(\| collection [^]*?)\n\nThe code obeys this plan/.exec(page) ?? [];
  const [table = '', others = ''] = plan.split('\n\nSettings, and what');
  const places = [...table.split('\n').map((row) => row.split('|')[1] ?? ''), others];
  const placed = places.flatMap((place) => [...place.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const collections = Object.values(mongoose.models).map(({ collection }) => collection.collectionName);
  expect(placed.sort()).toEqual(collections.sort());
});
