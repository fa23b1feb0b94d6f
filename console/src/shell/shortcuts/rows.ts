const ROWS = 'main tbody tr';

const shown = <E extends Element>(selector: string): readonly E[] =>
  [...document.querySelectorAll<E>(selector)].filter((element) => element.checkVisibility());

const markedRow = (): HTMLTableRowElement | null => document.activeElement?.closest<HTMLTableRowElement>(ROWS) ?? null;

// The link has the focus: screen readers follow, and Enter opens it. A row without a link is only read.
function mark(row: HTMLTableRowElement): void {
  const link = row.querySelector('a');
  if (!link) row.tabIndex = -1;
  (link ?? row).focus();
}

function moveBy(step: number): void {
  const rows = shown<HTMLTableRowElement>(ROWS);
  const marked = markedRow();
  const next = rows[marked ? rows.indexOf(marked) + step : 0];
  if (next) mark(next);
}

/** Single keys for the rows of the lists and tables of a screen. */
export const ROW_KEYS = {
  j: () => moveBy(1),
  k: () => moveBy(-1),
  x: ({ repeat }: KeyboardEvent) => {
    if (!repeat) markedRow()?.querySelector<HTMLInputElement>('.select input')?.click();
  },
};

/** Focuses the search field of the screen, else its first filter. Returns whether it has one. */
export function focusFilter(): boolean {
  const fields = shown<HTMLInputElement | HTMLSelectElement>('main :is([type="search"], search input, search select)');
  const field = fields.find(({ type }) => type === 'search') ?? fields[0];
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
  return field !== undefined;
}
