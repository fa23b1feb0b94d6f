import { z } from 'zod';
import { count, instant, optionalTimestamp, timestamp } from '../http/pieces';

const format = z.enum(['json', 'csv']).default('json').meta({ description: '`csv` streams one line for each recipient' });

export const CampaignCertificateQuery = z.object({ format });
export const WorkflowCertificateQuery = z.object({
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

export const CampaignCertificate = z
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

export const WorkflowCertificate = z
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
