import { readFieldBlocks } from './report-fields';

/**
 * The types that mean "this is spam" or similar (RFC 5965 7.3). `not-spam` takes that back, `auth-failure` (RFC 6591) is about signatures.
 */
const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud', 'virus', 'other']);

/** Returns the kind of a complaint in a `message/feedback-report` part, or null when the report is no complaint. */
export function complaintType(report: string): string | null {
  const [fields] = readFieldBlocks(report);
  const type = (fields?.get('feedback-type') ?? '').toLowerCase();
  return COMPLAINTS.has(type) ? type : null;
}
