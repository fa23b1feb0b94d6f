import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { buildSync } from 'esbuild';

const DATES = path.resolve(__dirname, '../../../console/src/parts/dates.tsx');

/** The beginnings and ends of days for a browser in a time zone, which a process cannot change once it runs. */
function boundsIn(zone: string, days: readonly string[]): readonly unknown[] {
  const built = buildSync({ entryPoints: [DATES], bundle: true, write: false, format: 'cjs', platform: 'node', jsx: 'automatic' });
  const ask = `console.log(JSON.stringify(${JSON.stringify(days)}.map((day) => [module.exports.beginningOf(day), module.exports.endOf(day)])))`;
  const said = execFileSync(process.execPath, ['-e', `${built.outputFiles[0]?.text ?? ''};${ask}`], { env: { ...process.env, TZ: zone } });
  return JSON.parse(said.toString()) as readonly unknown[];
}

test('a day is from midnight to midnight of the reader, however long that is', () => {
  expect(boundsIn('Europe/Vienna', ['2026-10-25', '2026-03-29', '2026-12-31'])).toEqual([
    ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-12-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ]);
  // The clock jumps from midnight to one o'clock.
  expect(boundsIn('America/Santiago', ['2026-09-06'])).toEqual([['2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z']]);
});
