import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { PATCHES } from '../../../src/contracts/patches';
import { VERSIONS } from '../../../src/platform/mongo/versions';
import { patchGate } from '../../../worker/patches';

const WORKFLOWS = path.resolve(__dirname, '../../../workflows');

test('every patch of the workflows has a version that has a contract step', () => {
  const code = readdirSync(WORKFLOWS).map((file) => readFileSync(path.join(WORKFLOWS, file), 'utf8'));
  const used = code.flatMap((text) => [...text.matchAll(/patched\('([^']+)'/g)].map(([, name]) => name));
  expect([...new Set(used)].sort()).toEqual(Object.keys(PATCHES).sort());
  for (const version of Object.values(PATCHES)) {
    expect(VERSIONS.find((each) => each.version === version)?.contract).toBeDefined();
  }
});

test('a patch waits until no process may run that does not know it', () => {
  let oldest = 1;
  const gate = patchGate(() => oldest, { known: 1, fresh: 2 });
  expect(['known', 'fresh', 'unheard-of'].map((patch) => gate?.(patch))).toEqual([true, false, false]);
  oldest = 2;
  expect(gate?.('fresh')).toBe(true);
  expect(patchGate(() => oldest, { fresh: 2 })).toBeNull();
});
