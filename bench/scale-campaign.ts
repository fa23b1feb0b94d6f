import { freePort } from '../test/support/run/servers';
import { CONNECTIONS, CampaignBench } from './support/campaigns';
import { Measured } from './support/processes';
import { printTable } from './support/table';

const CHUNK = 500;

export interface CampaignScale {
  readonly workers: readonly number[];
  /** For each worker. */
  readonly messages: number;
  readonly latencyMs: number;
}

/** Measures one campaign with each number of workers, to a mail server with latency. */
export async function scaleCampaign({ workers, messages, latencyMs }: CampaignScale): Promise<void> {
  const port = await freePort();
  const sink = await Measured.start('bench/sink.ts', [String(port), String(latencyMs)], {}, 'listening');
  const bench = await CampaignBench.start(Math.max(...workers) * messages, { host: '127.0.0.1', port, pid: sink.pid });
  const rows: (readonly string[])[] = [];
  let one = 0;
  try {
    for (const count of workers) {
      const run = await bench.campaign({ size: count * messages, workers: count, dkim: false, chunk: CHUNK });
      if (one === 0) one = run.sending / count;
      rows.push([
        ...[latencyMs, count].map(String),
        run.sending.toFixed(0),
        ((count * CONNECTIONS * 1_000) / latencyMs).toFixed(0),
        (run.sending / one / count).toFixed(2),
        run.endToEnd.toFixed(0),
        run.total.toFixed(0),
        Math.max(0, run.others).toFixed(2),
      ]);
    }
  } finally {
    await bench.stop();
    await sink.stop();
  }
  printTable(
    `scale: one campaign, ${CONNECTIONS} connections and ${messages} recipients a worker`,
    ['latency ms', 'workers', 'sending/s', 'at most', 'of one worker, each', 'end to end/s', 'CPU us/msg', 'cores of others'],
    rows,
  );
}
