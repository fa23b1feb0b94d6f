import { automationSource, campaignSource, certificateOf, streamCertificate } from '../../src/marketing/certificate';
import type { CertificateSource, Certified } from '../../src/marketing/certificate';
import { Streamed } from '../http/answers';
import { endpoint, extensions } from '../http/endpoint';
import { IdParams, count, instant, optionalTimestamp, timestamp } from '../http/pieces';
import { z } from 'zod';

const format = z.enum(['json', 'csv']).default('json').meta({ description: '`csv` streams one line for each recipient' });

const CampaignCertificateQuery = z.object({ format });
const WorkflowCertificateQuery = z.object({
  format,
  from: instant.optional().meta({ description: 'Contacts enrolled from this instant on, inclusive' }),
  to: instant.optional().meta({ description: 'Contacts enrolled before this instant' }),
});

const sent = {
  sent: count.meta({ description: 'Recipients whose message was attempted: the sum of the members from `delivered` to `inDoubt`' }),
  delivered: count,
  bounced: z
    .object({
      hard: count.meta({ description: 'The mailbox does not exist' }),
      soft: count.meta({ description: 'The mailbox was full or unavailable' }),
      block: count.meta({ description: 'The sender or the content was refused' }),
    })
    .meta({ description: 'Refused for good, by kind' }),
  failed: count.meta({ description: 'Ended without a bounce: retries used up, a fault on our side, or a retry that was cancelled' }),
  deferred: count.meta({ description: 'Refused for now; another attempt follows' }),
  inDoubt: count.meta({
    description: 'Messages with an unknown outcome: in transit, without a recorded reply, or accepted without a delivery report',
  }),
};

const certified = {
  audience: count.meta({ description: 'All recipients: the sum of `sent`, `skipped` and `pending`' }),
  ...sent,
  skipped: z.record(z.string(), count).meta({ description: 'Recipients that were skipped, by reason' }),
  pending: count.meta({ description: 'Recipients whose message has not begun' }),
};

const proof = {
  asOf: timestamp.meta({ description: 'When the count began' }),
  final: z.boolean().meta({ description: 'Whether the figures can no longer change, including by late bounces' }),
  finalAt: optionalTimestamp.meta({ description: 'When it becomes final if no message bounces before; null while unknown' }),
  chain: z
    .object({
      algorithm: z.literal('sha256').meta({ description: 'The hash algorithm' }),
      head: z.string().meta({ description: 'The hash of the last line of the CSV; without recipients, that of its header' }),
      rows: count.meta({ description: 'Recipients in the CSV' }),
    })
    .meta({ id: 'CertificateChain', description: 'The end of the hash chain over the lines of the CSV' }),
};

const CampaignCertificate = z
  .object({
    campaignId: z.string(),
    ...certified,
    byVersion: z
      .array(
        z.object({ version: count, ...sent }).meta({ id: 'CertifiedVersion', description: 'Messages with one version of the content' }),
      )
      .readonly()
      .meta({ description: 'The same messages by the version of the content' }),
    ...proof,
  })
  .meta({ id: 'CampaignCertificate', description: 'The outcome of a campaign for its frozen audience: sent, skipped and pending' });

const WorkflowCertificate = z
  .object({
    workflowId: z.string(),
    from: optionalTimestamp,
    to: optionalTimestamp,
    ...certified,
    byNode: z
      .array(z.object({ nodeId: z.string(), ...sent }).meta({ id: 'CertifiedNode', description: 'Messages of one node' }))
      .readonly()
      .meta({ description: 'The same messages by the node that sent them' }),
    ...proof,
  })
  .meta({
    id: 'WorkflowCertificate',
    description: 'Outcomes of the `send_email` nodes of a workflow for contacts enrolled in a time range',
  });

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
