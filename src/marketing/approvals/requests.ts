import { getSegment } from '../../audience/segments';
import { AppError, invalidState } from '../../platform/core';
import type { Context } from '../../platform/core';
import { stringsIn } from '../../rules/strings';
import { findTemplates } from '../../sending/templates';
import { stringsOf } from '../../sending/translations';
import { checkAutomation, patchAutomation } from '../automations';
import { ROLLOUT_STOPPED, checkLaunch, contentOf, countAudience, readCampaign, resumeCampaign, sendCampaign } from '../campaigns';
import type { Campaign, SendOptions } from '../campaigns';
import { sendingBatch } from './batch';
import { importing } from './importing';
import { UNVERSIONED, counted, hashOf } from './kind';
import type { Kind } from './kind';
import { lifting } from './lifting';
import type { ApprovalRequest } from './model';

type Send = Extract<ApprovalRequest, { readonly operation: 'sendCampaign' }>;
type Resume = Extract<ApprovalRequest, { readonly operation: 'resumeCampaign' }>;
type Activate = Extract<ApprovalRequest, { readonly operation: 'updateWorkflow' }>;

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

/** Lists all texts within a value, at any depth. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Reads the project's strings that contents show, as a list of one; an empty list if they show none. */
async function stringsShown({ project }: Context, contents: unknown): Promise<readonly unknown[]> {
  const strings = stringsIn(await stringsOf(project), textsIn(contents));
  return strings === null ? [] : [strings];
}

const quoted = (name: string): string => `“${name}”`;

function startOf({ schedule }: Campaign, { scheduledFor, localTime }: SendOptions): string {
  if (schedule) return 'again and again, by its schedule';
  if (localTime) return `when the recipient’s clock shows ${localTime.at.replace('T', ' ')}`;
  return scheduledFor ? `at ${scheduledFor.toISOString()}` : 'at once';
}

/** Returns a hash of what recipients get and who they are: another name changes neither. */
function versionOfLaunch(campaign: Campaign): string {
  const { name: _name, ...content } = contentOf(campaign);
  return hashOf(content);
}

const sending = ({ campaignId, options }: Send): Kind => ({
  async describe(ctx) {
    const campaign = await checkLaunch(ctx, campaignId, options);
    const { name, subject, abSubjectB, segmentId } = campaign;
    const recipients = await countAudience(ctx.project, campaign, new Date());
    const conditions = await conditionsOf(ctx, segmentId === null ? [] : [segmentId]);
    return {
      summary: {
        text: `Sends the campaign ${quoted(name)} to ${counted(recipients, 'contact')} ${startOf(campaign, options)}.`,
        subject: abSubjectB === null ? subject : `${subject} / ${abSubjectB}`,
        recipients,
      },
      basis: { version: versionOfLaunch(campaign), references: hashOf(conditions, ...(await stringsShown(ctx, contentOf(campaign)))) },
    };
  },
  async perform(ctx, recipients, keep) {
    await sendCampaign(ctx, campaignId, { ...options, ...(recipients !== null && { approvedFor: recipients }) }, (session, started) =>
      keep(session, { version: versionOfLaunch(started) }),
    );
  },
  at: options.scheduledFor,
  audited: ['campaign.send', campaignId],
});

const hashOfContent = ({ contentIds, revisions = [] }: Campaign): string => hashOf(contentIds, revisions.length);

const resuming = ({ campaignId }: Resume): Kind => ({
  async describe(ctx) {
    const campaign = await readCampaign(ctx, campaignId);
    const { name, status, phase, paused, heldReason, subject, audienceSize } = campaign;
    if (status !== 'sending' || phase !== 'frozen' || !(paused || heldReason === ROLLOUT_STOPPED))
      throw invalidState('Only a paused campaign or a stopped rollout can be resumed');
    return {
      summary: {
        text: `Resumes the campaign ${quoted(name)}, whose audience is ${counted(audienceSize, 'contact')}.`,
        subject,
        recipients: audienceSize,
      },
      basis: { version: UNVERSIONED, references: hashOfContent(campaign) },
    };
  },
  async perform(ctx, recipients, keep) {
    await resumeCampaign(ctx, campaignId, {
      approvedFor: recipients ?? 0,
      keep: (session, campaign) => keep(session, { version: UNVERSIONED, references: hashOfContent(campaign) }),
    });
  },
  at: null,
  audited: ['campaign.resume', campaignId],
});

const activating = ({ workflowId }: Activate): Kind => ({
  async describe(ctx) {
    const { name, trigger, revision, uses, graph } = await checkAutomation(ctx, workflowId);
    const templates = await findTemplates(ctx.projectId, uses.templates);
    const contents = [...templates.values()].map(({ subject, body, variants }) => [subject, body, variants]);
    const strings = await stringsShown(ctx, [JSON.parse(graph ?? 'null'), contents]);
    const versions = [...templates.values()].map(({ _id, version }) => `${_id}/${version}`).sort();
    return {
      summary: {
        text: `Activates the automation ${quoted(name)}: from then on, contacts enter by its trigger ${quoted(trigger)}.`,
        subject: null,
        recipients: null,
      },
      basis: { version: revision, references: hashOf(versions, await conditionsOf(ctx, uses.segments), ...strings) },
    };
  },
  async perform(ctx, _recipients, keep) {
    // The activation itself adds one to the revision.
    await patchAutomation(ctx, workflowId, { status: 'active' }, (session, { revision }) => keep(session, { version: revision - 1 }));
  },
  at: null,
  audited: ['workflow.activate', workflowId],
});

/** Returns how a request is described and carried out; `content` is the stored content of one that has some. Throws `Changed` where that is gone. */
export function kindOf(request: ApprovalRequest, content: Buffer | null): Kind {
  switch (request.operation) {
    case 'sendCampaign':
      return sending(request);
    case 'resumeCampaign':
      return resuming(request);
    case 'updateWorkflow':
      return activating(request);
    case 'sendBatch':
      return sendingBatch(content);
    case 'deleteSuppression':
      return lifting(request);
    case 'importContacts':
      return importing(request);
  }
}
