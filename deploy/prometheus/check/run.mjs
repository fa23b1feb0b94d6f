// `npm run alerts` runs the tests of the alerts: what they do with series. Takes other files of the form of alerts.test.yml in its place.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtTool } from '../../go-tool.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));

const named = process.argv.slice(2);
const files = named.length > 0 ? named : [path.join(HERE, '../alerts.test.yml')];
execFileSync(builtTool(HERE, 'rules-check'), files, { stdio: 'inherit' });
