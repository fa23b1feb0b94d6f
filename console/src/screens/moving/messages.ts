import type { Outcome, Progress } from '../../../../clients/typescript/src/import/apply.ts';
import type { Numbers } from '../../../../clients/typescript/src/import/numbers.ts';

export type { Numbers, Outcome, Progress };

/** What the page asks of its worker. */
export type Order =
  | { readonly act: 'read'; readonly service: string; readonly files: readonly File[] }
  | { readonly act: 'import'; readonly from: string };

/** What the worker tells the page. */
export type Report =
  | { readonly is: 'read'; readonly numbers: Numbers }
  | { readonly is: 'progress'; readonly progress: Progress }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'failed'; readonly message: string };
