import { startSink } from '@lettermill/local/sink';
import { isOwnHost } from '../../platform/addresses';
import { loadConfig } from '../../platform/config';
import { createLogger } from '../../platform/log';
import { endWith, stopSignal } from '../../platform/start-up';

/** Runs `sink-main.ts <folder> <SMTP port> <HTTP port>`, started by the supervisor. */
async function main(): Promise<void> {
  const stop = stopSignal(createLogger(loadConfig(), 'sink'));
  const [folder = '', smtpPort, httpPort] = process.argv.slice(2);
  const sink = await startSink({ folder, smtpPort: Number(smtpPort), httpPort: Number(httpPort), isOwnHost });
  await stop;
  await sink.close();
}

void main().then(() => process.exit(), endWith);
