import '../../platform/start-up/help-start';
import path from 'node:path';
import { Progress, StartError, onEndOfNpm } from '@lettermill/local';
import { CannotStart, unhandledError } from '../../platform/start-up';
import { introduce, loadConfig } from '../../platform/config';
import type { Config } from '../../platform/config';
import { createLogger } from '../../platform/log';
import type { Logger } from '../../platform/log';
import { requireMongoUri } from '../../platform/mongo';
import type { ProjectKeys } from '../../records/projects';
import { temporalConnection } from '../../platform/temporal';
import { localPlatform, startAll } from './start';
import type { Ready } from './start';

const write = (text: string): boolean => process.stdout.write(text);

/** Returns a command to begin with, which works as it is; nothing where the domain that it sends from is not there. */
function firstSend({ PORT, DEV_VERIFIED_DOMAINS }: Config, keys: ProjectKeys | null, hasInbox: boolean): string {
  const [domain] = DEV_VERIFIED_DOMAINS ?? [];
  if (!keys || domain === undefined) return '';
  const message = JSON.stringify({ to: 'ada@example.com', from: `hello@${domain}`, subject: 'Hello', text: 'It works.' });
  const call = `curl -s http://localhost:${PORT}/v1/send -H 'Authorization: Bearer ${keys.secret}' -H 'Content-Type: application/json' -d '${message}'`;
  return `Try this${hasInbox ? ', then open the inbox' : ''}:\n  ${call}\n\n`;
}

function announce({ config, keys, dir, hasInbox, hasTemporalUi, consoleLink }: Ready): void {
  const keysFile = path.relative(process.cwd(), dir.keys);
  const lines: readonly (readonly [string, string] | false)[] = [
    consoleLink !== null && ['Console', `${consoleLink} (works once, expires in 30 minutes)`],
    ['API', config.PUBLIC_URL],
    ['API reference', `${config.PUBLIC_URL}/docs`],
    hasInbox && ['Inbox', `${config.PUBLIC_URL}/dev/inbox`],
    hasTemporalUi && ['Temporal UI', `http://localhost:${config.TEMPORAL_UI_PORT}`],
    ['SMTP', `${config.HOST}:${config.SUBMISSION_PORT}, with STARTTLS; the password is a key`],
    ['Inbound SMTP', `${config.HOST}:${config.INBOUND_SMTP_PORT}`],
    ...(keys
      ? ([
          ['Project', keys.projectId],
          ['Secret key', keys.secret],
          ['Test key', keys.test],
          ['Public key', keys.public],
          ['Keys file', keysFile],
        ] as const)
      : ([['Keys', `not in ${keysFile}; create one: npm run admin -- keys create <projectId> secret`]] as const)),
  ];
  const rows = lines.flatMap((line) => (line ? [`  ${line[0].padEnd(14)} ${line[1]}\n`] : []));
  write(`\nLettermill is ready\n${rows.join('')}\n${firstSend(config, keys, hasInbox)}`);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Runs the platform until a signal stops it. Resolves with the exit code. */
async function run(config: Config, log: Logger, stop: AbortSignal): Promise<number> {
  const progress = new Progress(process.stdout);
  const start = { config, log, progress, signal: stop };
  const platform = localPlatform(start);
  let code = 0;
  try {
    const ended = Promise.race([aborted(stop), unhandledError()]);
    const ready = await Promise.race([startAll(platform, start), ended]);
    progress.clear();
    if (ready) {
      announce(ready);
      await Promise.race([ended, platform.failure()]);
    }
    log.info('stopping');
  } catch (error) {
    progress.clear();
    code = stop.aborted ? 0 : 1;
    if (stop.aborted) log.info('stopping');
    else if (error instanceof StartError || error instanceof CannotStart) process.stderr.write(`\n${error.message}\n`);
    else log.fatal(error, 'the platform stopped because of an error');
  }
  await platform.stop();
  return code;
}

/** Throws a sentence where what is said of servers that are given cannot be: the parts would say it again and again. */
function requireGivenServers({ MONGODB_URI, TEMPORAL_ADDRESS, ...config }: Config): void {
  if (MONGODB_URI !== undefined) requireMongoUri(MONGODB_URI);
  if (TEMPORAL_ADDRESS !== undefined) temporalConnection({ ...config, TEMPORAL_ADDRESS });
}

function main(): void {
  const config = loadConfig();
  requireGivenServers(config);
  const log = createLogger(config, 'embedded');
  introduce(config, log);
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.on('SIGHUP', () => {
    log.level = 'silent';
    stop();
  });
  // Writing to a closed terminal fails; that must not end the process early.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  onEndOfNpm(stop);
  void run(config, log, controller.signal).then((code) => process.exit(code));
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
