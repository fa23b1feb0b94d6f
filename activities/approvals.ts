import type { ApprovalOutlook, ApprovalCheckInput } from '../src/contracts/approval';
import { checkApproval } from '../src/marketing/approvals';
import type { Core } from '../src/platform/core';

export const approvalActivities = (core: Core) => ({
  /** Carries out what is due of an approval. Safe to retry: that it was carried out is noted in the transaction that does it. */
  approvalTurn: (input: ApprovalCheckInput): Promise<ApprovalOutlook> => checkApproval(core, input),
});
