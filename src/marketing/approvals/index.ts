export { approvalAt, decideByLink, linkTo, screenUrl } from './link';
export type { LinkedApproval } from './link';
export { APPROVABLE } from './model';
export { eraseFromApprovals } from './payload';
export { decideApproval, getApproval, inParameters, listApprovals, requestApproval } from './service';
export type { AskedApproval, ShownApproval } from './service';
export { checkApproval, isApprovalOver } from './check-approval';
