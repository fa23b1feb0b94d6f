import type { ReactNode } from 'react';
import { Suggested } from './suggested.tsx';

const ZONES = Intl.supportedValuesOf('timeZone');

/** Returns the time zone of the reader's clock. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface ZoneProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly change: (zone: string) => void;
  readonly required?: boolean;
}

/** Shows an IANA time zone, with suggestions. */
export const ZoneField = ({ hint = 'For example Europe/Vienna', ...field }: ZoneProps): ReactNode => (
  <Suggested {...field} hint={hint} names={ZONES} />
);
