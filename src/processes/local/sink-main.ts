import { startSink } from './sink';

/** `sink-main.ts <folder> <SMTP port> <HTTP port>`, run by the supervisor. */
async function main(): Promise<void> {
  const [folder = '', smtpPort, httpPort] = process.argv.slice(2);
  const sink = await startSink(folder, Number(smtpPort), Number(httpPort));
  process.once('SIGTERM', () => void sink.close().then(() => process.exit(0)));
}

main().catch((error: unknown) => {
  process.stderr.write(`sink: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
