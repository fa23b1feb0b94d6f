import { nearestName } from '../../rules/near-name';

/** Variables that begin so are meant for the platform, whatever follows. */
const OURS =
  /^(?:INBOUND|LEDGER|LETTERMILL|METRICS|PAYMENTS|SUBMISSION|WEBHOOK)_|^(?:API_RATE|SEND_RATE|DOMAIN_CHECK|EVENTS_PUBLIC|PLAN_QUOTA|SMTP)_/;

/** Among shorter names, every other one is near. */
const SHORTEST = 6;

/** A variable that no setting has the name of. */
export interface Stray {
  readonly variable: string;
  /** The setting that was probably meant. */
  readonly meant: string | null;
}

/** Returns variables that look like settings but are none: with one of our prefixes, or one typing error from a setting. */
export function straySettings(given: readonly string[], known: readonly string[]): readonly Stray[] {
  const isKnown = new Set(known);
  return given
    .filter((variable) => !isKnown.has(variable))
    .flatMap((variable) => {
      const isOurs = OURS.test(variable);
      const meant = nearest(variable, known) ?? (isOurs ? completed(variable, known) : null) ?? withoutFile(variable, known);
      return meant !== null || isOurs ? [{ variable, meant }] : [];
    });
}

const nearest = (variable: string, known: readonly string[]): string | null =>
  variable.length < SHORTEST
    ? null
    : nearestName(
        variable,
        known.filter((name) => name.length >= SHORTEST),
      );

// The setting that has no other form: it names a file already.
const withoutFile = (variable: string, known: readonly string[]): string | null =>
  known.find((name) => variable === `${name}_FILE`) ?? null;

/** Returns the one setting whose first words these are; undefined if none or several match. */
function completed(variable: string, known: readonly string[]): string | null {
  const [only = null, ...others] = known.filter((name) => name.startsWith(`${variable}_`));
  return others.length === 0 ? only : null;
}
