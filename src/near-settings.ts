/** Variables that begin so are meant for the platform, whatever follows. */
const OURS = /^(?:LEDGER|METRICS|PAYMENTS|WEBHOOK)_|^(?:API_RATE|SEND_RATE|DOMAIN_CHECK|EVENTS_PUBLIC|INBOUND_SMTP|PLAN_QUOTA|SMTP)_/;

const MOST_EDITS = 2;
/** Among shorter names, every other one is near. */
const SHORTEST = 6;

export interface Stray {
  readonly variable: string;
  /** The setting that was probably meant. */
  readonly meant: string | null;
}

/** Variables that look like settings and are none: with one of our beginnings, or a typing error away from one. */
export function straySettings(given: readonly string[], known: readonly string[]): readonly Stray[] {
  const isKnown = new Set(known);
  return given
    .filter((variable) => !isKnown.has(variable))
    .flatMap((variable) => {
      const meant = nearest(variable, known);
      return meant !== null || OURS.test(variable) ? [{ variable, meant }] : [];
    });
}

function nearest(variable: string, known: readonly string[]): string | null {
  const near = known
    .filter((name) => Math.min(name.length, variable.length) >= SHORTEST)
    .map((name) => ({ name, edits: editsBetween(variable.toUpperCase(), name) }))
    .filter(({ edits }) => edits <= MOST_EDITS)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.name ?? null;
}

/** Letters to add, leave out or change on the way from one to the other (Levenshtein). */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return MOST_EDITS + 1;
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const now = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const changed = (before[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      now.push(Math.min(changed, (before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[b.length] ?? 0;
}
