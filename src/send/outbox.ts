import type { Core } from '../context';
import { OutboxModel } from './models';
import type { OutboxRow } from './models';

/** A row of this age has been forgotten by the process that wrote it, or Temporal was away. */
const FORGOTTEN_MS = 5_000;
const PAGE = 500;

/** Starts the workflows and clears the intents; what fails is left for the sweep. */
export function startNow(core: Core, rows: readonly OutboxRow[]): void {
  for (const row of rows) {
    start(core, row).catch((error: unknown) =>
      core.log.warn({ err: error, workflowId: row._id }, 'A workflow was not started; the sweep will'),
    );
  }
}

async function start(core: Pick<Core, 'processes'>, { _id, payload }: OutboxRow): Promise<void> {
  await core.processes.startScheduledSend(_id, { sendAt: payload.sendAt.toISOString(), shards: payload.shards });
  await OutboxModel.deleteOne({ _id });
}

/** Starts what was wanted and never started. Resolves to how many; throws when Temporal does not take one. */
export async function sweepOutbox(core: Pick<Core, 'processes'>, now: Date): Promise<number> {
  const rows = await OutboxModel.find({ createdAt: { $lt: new Date(now.getTime() - FORGOTTEN_MS) } })
    .sort({ createdAt: 1 })
    .limit(PAGE)
    .lean<OutboxRow[]>();
  for (const row of rows) await start(core, row);
  return rows.length;
}
