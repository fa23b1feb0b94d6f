import { domainVerificationId, checkAgainSignal } from '../../contracts/domain-verification';
import type { SignalIntent, StartIntent } from '../../contracts/processes';
import type { Domain } from './model';

/** Returns the intent of the workflow that watches a domain. */
export const verificationIntent = ({ _id, projectId }: Pick<Domain, '_id' | 'projectId'>): StartIntent => ({
  kind: 'start',
  workflow: 'domainVerification',
  workflowId: domainVerificationId(_id),
  input: { domainId: _id, projectId },
  summary: 'Sending domain',
  attributes: { projectId, domainId: _id },
  again: true,
});

/** Returns the intent to check a domain again: a workflow that runs checks its domain at once, and one that is about to end continues. */
export const checkAgainIntent = (domain: Pick<Domain, '_id' | 'projectId'>): StartIntent => ({
  ...verificationIntent(domain),
  signal: checkAgainSignal.name,
});

/** Signals the workflow of a domain that was deleted. */
export const goneIntent = (domainId: string): SignalIntent => ({
  kind: 'signal',
  workflowId: domainVerificationId(domainId),
  signal: checkAgainSignal.name,
  id: 'gone',
});
