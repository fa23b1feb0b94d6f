/** The part by which an approved audience may grow or shrink, and the least number of contacts. */
const DRIFT = { part: 0.1, least: 1 };

/** Returns whether an audience is still the one that was approved. */
export const isAlike = (approved: number, now: number): boolean => Math.abs(now - approved) <= Math.max(DRIFT.least, approved * DRIFT.part);

interface Limited {
  readonly approvalNeededAbove?: number;
}

/** Returns whether this many recipients need an approval, and have none. A project without the setting needs none. */
export function lacksApproval({ approvalNeededAbove: most }: Limited, recipients: number, approvedFor: number | null = null): boolean {
  if (most === undefined || recipients <= most) return false;
  return approvedFor === null || (recipients > approvedFor && !isAlike(approvedFor, recipients));
}

const amount = (count: number): string => count.toLocaleString('en-US');

/** Says how an approval of an operation is requested. */
export const neededWords = ({ approvalNeededAbove = 0 }: Limited, recipients: number, operation: string): string =>
  `This reaches ${amount(recipients)} recipients, and more than ${amount(approvalNeededAbove)} need the approval of another person: request it with POST /v1/approvals and ${operation}`;
