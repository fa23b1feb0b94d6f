import type { Response } from 'express';
import { foreignPlaceholder } from '../../src/message/template';

/** `Warning` itself is obsolete (RFC 9111, 5.5). */
const HEADER = 'X-Lettermill-Warning';

const MOST_WARNINGS = 5;
const MOST_WRITTEN = 60;

/** Adds warnings for the author of a request to the answer's headers, which allow only ASCII. */
export function warn(warnings: readonly string[], res: Response): void {
  const shown = [...new Set(warnings)].slice(0, MOST_WARNINGS).map((warning) => warning.replaceAll(/[^\x20-\x7e]/g, '?'));
  if (shown.length === 0) return;
  const before = res.get(HEADER);
  res.set(HEADER, [...(before === undefined ? [] : [before]), ...shown].join('; '));
}

/** Warns about another service's placeholder in the texts: it is not a placeholder here. */
export function foreignSyntax(...texts: readonly (string | null | undefined)[]): readonly string[] {
  const found = foreignPlaceholder(texts.filter((text) => typeof text === 'string'));
  if (!found) return [];
  const { service, written } = found;
  return [`${written.slice(0, MOST_WRITTEN)} looks like ${service} and is sent as it is written: placeholders here are like {{firstName}}`];
}
