import type { Outcome, Progress } from '../../../../clients/typescript/src/import/apply.ts';
import type { Numbers } from '../../../../clients/typescript/src/import/numbers.ts';

export type { Numbers, Outcome, Progress };

/** Orders of the page to its worker. */
export type Order =
  | { readonly act: 'read'; readonly service: string; readonly files: readonly File[] }
  | { readonly act: 'import'; readonly from: string };

/** Reports of the worker to the page. */
export type Report =
  | { readonly is: 'read'; readonly numbers: Numbers }
  | { readonly is: 'progress'; readonly progress: Progress }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'failed'; readonly message: string };
