import { automationSource, campaignSource, certificateOf, streamCertificate } from '../../src/marketing/certificate';
import type { CertificateSource, Certified } from '../../src/marketing/certificate';
import { Streamed } from '../http/answers';
import { endpoint, extensions } from '../http/endpoint';
import { IdParams } from '../http/pieces';
import { CampaignCertificate, CampaignCertificateQuery, WorkflowCertificate, WorkflowCertificateQuery } from './schemas';
import type { z } from 'zod';

const CSV = 'text/csv; charset=utf-8';
/** All recipients are read: 100,000 take up to 20 seconds on a busy machine with two cores. */
const LIMITS = { answerMs: 120_000 };

const asCsv = (source: CertificateSource, id: string): Streamed =>
  new Streamed(streamCertificate(source), { 'Content-Type': CSV, 'Content-Disposition': `attachment; filename="certificate-${id}.csv"` });

export const certificateExtensions = extensions('Extensions', [
  endpoint('GET /v1/campaigns/{id}/certificate', {
    operationId: 'certifyCampaign',
    summary: 'Certify the outcome of every recipient of a campaign',
    description:
      'The sums add up at any moment: `audience` = `sent` + all `skipped` + `pending`, and `sent` = `delivered` + all `bounced` + `failed` + `deferred` + `inDoubt`. All recipients are read for it. With `format=csv`, each recipient is a line with a hash of the line and of the hash before it.',
    request: { params: IdParams, query: CampaignCertificateQuery },
    response: CampaignCertificate,
    streams: 'text/csv',
    limits: LIMITS,
    errors: ['invalid_state'],
    handle: async ({ ctx, params: { id }, query: { format } }) => {
      const source = await campaignSource(ctx, id);
      return format === 'csv' ? asCsv(source, id) : toCampaignCertificate(id, await certificateOf(source));
    },
  }),
  endpoint('GET /v1/workflows/{id}/certificate', {
    operationId: 'certifyWorkflow',
    summary: 'Certify the outcome of the messages of a workflow',
    description:
      'Covers contacts enrolled from `from` up to, but not including, `to`. Each `send_email` node that a live execution reached counts as one recipient. Sums, CSV and hash chain work as in a campaign certificate.',
    request: { params: IdParams, query: WorkflowCertificateQuery },
    response: WorkflowCertificate,
    streams: 'text/csv',
    limits: LIMITS,
    handle: async ({ ctx, params: { id }, query: { format, from = null, to = null } }) => {
      const source = await automationSource(ctx, id, { from, to });
      return format === 'csv' ? asCsv(source, id) : toWorkflowCertificate(id, { from, to }, await certificateOf(source));
    },
  }),
]);

type Wire = z.input<typeof CampaignCertificate>;

/** Returns the members that certificates of campaigns and of workflows share. */
function common({ figures, asOf, final, finalAt, chain }: Certified): Omit<Wire, 'campaignId' | 'byVersion'> {
  const { groups: _groups, ...counts } = figures;
  return { ...counts, asOf, final, finalAt, chain: { algorithm: 'sha256', ...chain } };
}

const toCampaignCertificate = (campaignId: string, certified: Certified): Wire => ({
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

const toWorkflowCertificate = (workflowId: string, { from, to }: Asked, certified: Certified): z.input<typeof WorkflowCertificate> => ({
  workflowId,
  from,
  to,
  ...common(certified),
  byNode: [...certified.figures.groups]
    .map(([nodeId, sent]) => ({ nodeId, ...sent }))
    .sort((one, other) => (one.nodeId < other.nodeId ? -1 : 1)),
});
