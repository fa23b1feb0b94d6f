import type { z } from 'zod';
import type { Certified } from '../../src/marketing/certificate';
import type { CampaignCertificate, WorkflowCertificate } from './schemas';

type Wire = z.input<typeof CampaignCertificate>;

/** Returns the members that certificates of campaigns and of workflows share. */
function common({ figures, asOf, final, finalAt, chain }: Certified): Omit<Wire, 'campaignId' | 'byVersion'> {
  const { groups: _groups, ...counts } = figures;
  return {
    ...counts,
    asOf: asOf.toISOString(),
    final,
    finalAt: finalAt && finalAt.toISOString(),
    chain: { algorithm: 'sha256', ...chain },
  };
}

export const toCampaignCertificate = (campaignId: string, certified: Certified): Wire => ({
  campaignId,
  ...common(certified),
  byVersion: [...certified.figures.groups]
    .map(([version, sent]) => ({ version: Number(version), ...sent }))
    .sort((one, other) => one.version - other.version),
});

/** A span as it was asked for. */
interface Asked {
  readonly from: Date | null;
  readonly to: Date | null;
}

export const toWorkflowCertificate = (
  workflowId: string,
  { from, to }: Asked,
  certified: Certified,
): z.input<typeof WorkflowCertificate> => ({
  workflowId,
  from: from && from.toISOString(),
  to: to && to.toISOString(),
  ...common(certified),
  byNode: [...certified.figures.groups]
    .map(([nodeId, sent]) => ({ nodeId, ...sent }))
    .sort((one, other) => (one.nodeId < other.nodeId ? -1 : 1)),
});
