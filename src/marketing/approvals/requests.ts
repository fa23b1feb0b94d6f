import { getSegment } from '../../audience/segments';
import { AppError, sha256 } from '../../platform/core';
import type { Context } from '../../platform/core';
import type { Keep } from '../../platform/idempotency';
import { findTemplates } from '../../sending/templates';
import { checkAutomation, patchAutomation } from '../automations';
import { checkLaunch, countAudience, sendCampaign } from '../campaigns';
import type { Campaign, SendOptions } from '../campaigns';
import type { ApprovalBasis, ApprovalRequest, ApprovalSummary } from './model';

type Send = Extract<ApprovalRequest, { readonly operation: 'sendCampaign' }>;
type Activate = Extract<ApprovalRequest, { readonly operation: 'updateWorkflow' }>;

/** The effect of a request now. */
interface Described {
  readonly summary: ApprovalSummary;
  readonly basis: ApprovalBasis;
}

/** The version of what was carried out, in the transaction that did it. */
interface Done {
  readonly version: number;
}

/** Describes one request and carries it out. */
interface Kind {
  /** Says what it would do. Throws what would refuse it now. */
  describe(ctx: Context): Promise<Described>;
  /** Does it; `keep` is called in its transaction. */
  perform(ctx: Context, keep: Keep<Done>): Promise<void>;
  /** The instant that it is for; null where it is done at once. */
  readonly at: Date | null;
  readonly audited: readonly [action: string, subject: string];
}

/** Reads the conditions of segments; null for one that is gone. */
const conditionsOf = (ctx: Context, ids: readonly string[]): Promise<readonly unknown[]> =>
  Promise.all(
    ids.map(async (id) => {
      const segment = await getSegment(ctx, id).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return null;
        throw error;
      });
      return [id, segment && segment.conditions];
    }),
  );

const hashOf = (...parts: readonly unknown[]): string => sha256(JSON.stringify(parts));

const quoted = (name: string): string => `“${name}”`;
const people = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'contact' : 'contacts'}`;

function startOf({ schedule }: Campaign, { scheduledFor, localTime }: SendOptions): string {
  if (schedule) return 'again and again, by its schedule';
  if (localTime) return `when the recipient’s clock shows ${localTime.at.replace('T', ' ')}`;
  return scheduledFor ? `at ${scheduledFor.toISOString()}` : 'at once';
}

const sending = ({ campaignId, options }: Send): Kind => ({
  async describe(ctx) {
    const campaign = await checkLaunch(ctx, campaignId, options);
    const { name, subject, abSubjectB, segmentId, version } = campaign;
    const recipients = await countAudience(ctx.project, campaign, new Date());
    return {
      summary: {
        text: `Sends the campaign ${quoted(name)} to ${people(recipients)} ${startOf(campaign, options)}.`,
        subject: abSubjectB === null ? subject : `${subject} / ${abSubjectB}`,
        recipients,
      },
      basis: { version, references: hashOf(await conditionsOf(ctx, segmentId === null ? [] : [segmentId])) },
    };
  },
  async perform(ctx, keep) {
    await sendCampaign(ctx, campaignId, options, keep);
  },
  at: options.scheduledFor,
  audited: ['campaign.send', campaignId],
});

const activating = ({ workflowId }: Activate): Kind => ({
  async describe(ctx) {
    const { name, trigger, revision, uses } = await checkAutomation(ctx, workflowId);
    const templates = await findTemplates(ctx.projectId, uses.templates);
    const versions = [...templates.values()].map(({ _id, version }) => `${_id}/${version}`).sort();
    return {
      summary: {
        text: `Activates the automation ${quoted(name)}: from then on, contacts enter by its trigger ${quoted(trigger)}.`,
        subject: null,
        recipients: null,
      },
      basis: { version: revision, references: hashOf(versions, await conditionsOf(ctx, uses.segments)) },
    };
  },
  async perform(ctx, keep) {
    // The activation itself adds one to the revision.
    await patchAutomation(ctx, workflowId, { status: 'active' }, (session, { revision }) => keep(session, { version: revision - 1 }));
  },
  at: null,
  audited: ['workflow.activate', workflowId],
});

/** Returns how a request is described and carried out. */
export const kindOf = (request: ApprovalRequest): Kind => (request.operation === 'sendCampaign' ? sending(request) : activating(request));
