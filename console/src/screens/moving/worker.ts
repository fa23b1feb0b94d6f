import { applyArchive } from '../../../../clients/typescript/src/import/apply.ts';
import type { Archive, ExportFile } from '../../../../clients/typescript/src/import/archive.ts';
import { numbersOf } from '../../../../clients/typescript/src/import/numbers.ts';
import { archiveOf } from '../../../../clients/typescript/src/import/sources.ts';
import { unpacked } from '../../../../clients/typescript/src/import/zip.ts';
import { api, fetchSession } from '../../parts/api.ts';
import type { Order, Progress, Report } from './messages.ts';

// Reads an export and imports it in a thread of its own: the page stays quick whatever the size of the files. It calls the API in the session of the page.

const REPORT_EVERY_MS = 200;

let archive: Archive | null = null;

const report = (message: Report): void => postMessage(message);

async function filesIn(file: File): Promise<readonly ExportFile[]> {
  if (file.name.toLowerCase().endsWith('.zip')) return unpacked(new Uint8Array(await file.arrayBuffer()));
  return [{ name: file.name, text: await file.text() }];
}

async function read({ service, files }: Extract<Order, { act: 'read' }>): Promise<void> {
  const texts = await Promise.all(files.map(filesIn));
  archive = archiveOf(service, texts.flat());
  report({ is: 'read', numbers: numbersOf(archive) });
}

async function bring(from: string): Promise<void> {
  if (!archive) return;
  if ((await fetchSession()) === null) throw new Error('You are not signed in. Sign in again.');
  let reported = { at: 0, step: '' };
  const progress = (now: Progress): void => {
    const at = Date.now();
    if (now.step === reported.step && at - reported.at < REPORT_EVERY_MS) return;
    reported = { at, step: now.step };
    report({ is: 'progress', progress: now });
  };
  report({ is: 'done', outcome: await applyArchive(api, archive, { from: from === '' ? undefined : from, progress }) });
}

addEventListener('message', ({ data: order }: MessageEvent<Order>) => {
  const done = order.act === 'read' ? read(order) : bring(order.from);
  done.catch((error: unknown) => report({ is: 'failed', message: error instanceof Error ? error.message : String(error) }));
});
