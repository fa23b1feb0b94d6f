import { useEffect, useRef, useState } from 'react';
import type { Numbers, Order, Outcome, Progress, Report } from './messages.ts';

/** State of a move. Contents of the export stays known after a failure, so that the import can be tried again. */
export interface Move {
  readonly service: string;
  readonly step: 'nothing' | 'reading' | 'read' | 'importing' | 'done';
  readonly numbers: Numbers | null;
  readonly progress: Progress | null;
  readonly importId: string | null;
  readonly outcome: Outcome | null;
  readonly fault: string | null;
}

const NOTHING: Move = { service: '', step: 'nothing', numbers: null, progress: null, importId: null, outcome: null, fault: null };

/** Returns a move after a report of its worker. */
function after(move: Move, report: Report): Move {
  switch (report.is) {
    case 'read':
      return { ...move, step: 'read', numbers: report.numbers };
    case 'progress':
      return { ...move, progress: report.progress, importId: report.progress.importId ?? move.importId };
    case 'done':
      return { ...move, step: 'done', outcome: report.outcome };
    case 'failed':
      return { ...move, step: move.numbers ? 'read' : 'nothing', fault: report.message };
  }
}

const TOO_LARGE = 'The worker of this page stopped. The files may be too large for this browser: use the command line.';

const newWorker = (): Worker => new Worker(new URL('worker.ts', import.meta.url), { type: 'module' });

/**
 * Returns the import of an export by a worker: `read` counts what its files hold, `bring` imports them. `done` is called once for each
 * import.
 */
export function useMove(done: (move: Move) => void) {
  const [move, show] = useState(NOTHING);
  const now = useRef(NOTHING);
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);
  const set = (changed: Move): void => {
    now.current = changed;
    show(changed);
  };
  const hear = (report: Report): void => {
    set(after(now.current, report));
    if (report.is === 'done') done(now.current);
  };
  return {
    move,
    read: (service: string, files: readonly File[]): void => {
      worker.current?.terminate();
      const fresh = newWorker();
      worker.current = fresh;
      fresh.addEventListener('message', ({ data }: MessageEvent<Report>) => hear(data));
      fresh.addEventListener('error', () => hear({ is: 'failed', message: TOO_LARGE }));
      set({ ...NOTHING, service, step: 'reading' });
      fresh.postMessage({ act: 'read', service, files } satisfies Order);
    },
    bring: (from: string): void => {
      set({ ...now.current, step: 'importing', progress: null, outcome: null, fault: null });
      worker.current?.postMessage({ act: 'import', from } satisfies Order);
    },
    clear: (): void => {
      worker.current?.terminate();
      set(NOTHING);
    },
  };
}
