// `npm run console` builds the files that the API serves at /console, unless they are built already from these sources. Existing files are
// replaced when the build is complete.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CONSOLE = path.dirname(fileURLToPath(import.meta.url));
const CLIENT = path.resolve(CONSOLE, '../clients/typescript/src');
/** Rules that the console shares with the API. */
const RULES = path.resolve(CONSOLE, '../src/rules');
const OUT = path.join(CONSOLE, 'dist');
const MARK = 'sources.txt';

const filesIn = (dir) =>
  readdirSync(dir, { recursive: true })
    .map((file) => path.join(dir, file))
    .filter((file) => statSync(file).isFile())
    .sort();

function fingerprint() {
  const own = ['index.html', 'package.json', 'vite.config.mjs', 'build.mjs', 'tsconfig.json'].map((file) => path.join(CONSOLE, file));
  const hash = createHash('sha256');
  for (const file of [...own, ...filesIn(path.join(CONSOLE, 'src')), ...filesIn(CLIENT), ...filesIn(RULES)])
    hash.update(`${path.relative(CONSOLE, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

const wanted = fingerprint();
const mark = path.join(OUT, MARK);
if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
  // Whatever runs the platform: development and tests would get a React that checks itself, three times as large.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const fresh = `${OUT}-${process.pid}`;
  const old = `${fresh}-old`;
  try {
    await build({ root: CONSOLE, configFile: path.join(CONSOLE, 'vite.config.mjs'), logLevel: 'warn', build: { outDir: fresh } });
    writeFileSync(path.join(fresh, MARK), wanted);
    if (existsSync(OUT)) renameSync(OUT, old);
    renameSync(fresh, OUT);
  } finally {
    for (const dir of [fresh, old]) rmSync(dir, { recursive: true, force: true });
  }
}
