import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { createLogger } from '../../../../src/platform/log';
import { excess } from '../../../support/checks/yardstick';

/** What the database's driver throws for a write that failed: with what was to be written. */
function failedWrite(): Error {
  const document = { email: 'lovelace@example.com', firstName: 'Lovelace' };
  const error = Object.assign(new Error('E11000 duplicate key error dup key: { email: "lovelace@example.com" }'), {
    code: 11_000,
    writeErrors: [{ err: { op: document } }],
    errorResponse: { keyValue: document },
  });
  return new Error('Not stored for lovelace@example.com', { cause: error });
}

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ NODE_ENV: 'production', LOG_LEVEL: 'trace' }, 'test', { write: (line: string) => lines.push(line) }));
  return lines.join('');
}

test.each(['err', 'error'])('a failure is logged without what it carries, as %s', (name) => {
  const line = logged((log) => log.warn({ [name]: failedWrite() }, 'A step failed'));
  expect(line).not.toMatch(/lovelace/i);
  expect(JSON.parse(line)[name]).toMatchObject({ type: 'Error', stack: expect.stringContaining('log.test'), cause: { code: 11_000 } });
});

test('a failure itself is logged without what it carries', () => {
  expect(logged((log) => log.fatal(failedWrite(), 'the platform cannot go on'))).not.toMatch(/lovelace/i);
});

test('a long message takes no time', async () => {
  const work = () => logged((log) => log.warn({ err: new Error('x'.repeat(1_000_000)) }, 'A step failed'));
  expect(await excess(work)).toBe(0);
});

test('a line on a terminal begins with its time and leaves no part of an escape sequence', () => {
  const program = `require('./src/typescript.cjs').register();
    require('./src/platform/log').createLogger({ NODE_ENV: 'development', LOG_LEVEL: 'info' }, 'test').info('hello');`;
  const inTerminal = ['-c', 'import pty, sys; pty.spawn(sys.argv[1:])', process.execPath, '-e', program];
  const output = execFileSync('python3', inTerminal, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  expect(stripVTControlCharacters(output)).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: hello/);
});
