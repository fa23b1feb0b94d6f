import autocannon from 'autocannon';
import { SENDER, filledMessage, message } from './support/message';

/** Puts a server under load, in its own process: `load.ts <url> <key> <single|own|batch|event> <seconds> <connections> [sender]`. Prints one JSON line. */
async function main(): Promise<void> {
  const [url = '', key = '', mode = 'single', seconds = '5', connections = '50', from = SENDER] = process.argv.slice(2);
  let n = 0;
  const next = () => ({ ...(mode === 'own' ? filledMessage(n++) : message(n++)), from });
  const event = () => ({ name: 'order.placed', email: `user-${n++ % 20_000}@example.com`, data: { number: n, currency: 'EUR' } });
  const body = () =>
    mode === 'event'
      ? JSON.stringify(event())
      : JSON.stringify(mode === 'batch' ? { messages: Array.from({ length: 1000 }, next) } : next());
  const result = await autocannon({
    url,
    connections: Number(connections),
    duration: Number(seconds),
    timeout: 60,
    requests: [
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: body() }),
      },
    ],
  });
  const { latency } = result;
  process.stdout.write(
    `${JSON.stringify({ perSecond: result['2xx'] / result.duration, p50: latency.p50, p97: latency.p97_5, p99: latency.p99, failed: result.non2xx + result.errors })}\n`,
  );
}

void main();
