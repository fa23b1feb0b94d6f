export { approvalAt, decideByLink, linkTo, screenUrl } from './link';
export type { ShownApproval } from './link';
export { APPROVABLE } from './model';
export type { Approval, ApprovalRequest } from './model';
export { decideApproval, getApproval, listApprovals, requestApproval } from './service';
export { checkApproval, isApprovalOver } from './check-approval';
