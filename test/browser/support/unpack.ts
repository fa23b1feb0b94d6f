import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** By this `@sparticuz/chromium` unpacks the libraries that a bare machine lacks. It looks when it is loaded. */
process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x';

// It unpacks into the temporary folder: two workers that share one would run a browser that the other is still writing.
process.env['TMPDIR'] = path.join(os.tmpdir(), `browser-${process.pid}`);
mkdirSync(process.env['TMPDIR'], { recursive: true });
