import '../../platform/start-up/help-start';
import { loadConfig } from '../../platform/config';
import { unhandledError } from '../../platform/start-up';
import { connectMongo, disconnectMongo } from '../../platform/mongo';
import { compose } from '../../composition/compose';
import { UsageError } from './arguments';
import { withDatabase, platformOf } from './platform';
import { asCsv, readable } from './print';
import { asksForHelp, explain, parseRequest, usageFor } from './request';

const PRINT = { text: readable, json: (result: unknown): string => `${JSON.stringify(result)}\n`, csv: asCsv };

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  if (asksForHelp(argv)) {
    process.stdout.write(usageFor(argv));
    return;
  }
  compose(null);
  const request = parseRequest(argv);
  const config = loadConfig();
  const failed = unhandledError();
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  const run = () => Promise.race([request.run(platformOf(config, say)), failed]);
  const connected = async (uri: string) => {
    await connectMongo(uri, { poolSize: 2 });
    try {
      return await run();
    } finally {
      await disconnectMongo();
    }
  };
  const { result, fault } = await (request.offline ? run() : withDatabase(config, say, connected));
  process.stdout.write(PRINT[request.form](result));
  if (fault === null) return;
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}

/** Exit codes: 0 done, 1 it could not be done, or not all of it, 2 the command was not understood. */
main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${usageFor(process.argv.slice(2))}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
