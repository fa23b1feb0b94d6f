// `npm run chart` lints the chart, renders it with each file of check/values, or with the values files that are named, and decodes what came out strictly into
// Kubernetes' own types; prints what was rendered, with `--quiet` nothing.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtTool } from '../../go-tool.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));

const named = process.argv.slice(2).filter((word) => word !== '--quiet');
const values = named.length > 0 ? named : readdirSync(path.join(HERE, 'values')).map((file) => path.join(HERE, 'values', file));
const quiet = process.argv.includes('--quiet');
execFileSync(builtTool(HERE, 'chart-check'), [path.dirname(HERE), ...values], {
  stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'],
});
