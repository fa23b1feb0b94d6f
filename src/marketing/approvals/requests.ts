import { getSegment } from '../../audience/segments';
import { AppError, invalidState, invalid, notFound } from '../../platform/core';
import type { Context } from '../../platform/core';
import { stringsIn } from '../../rules/strings';
import { findTemplates } from '../../sending/templates';
import { stringsOf } from '../../sending/translations';
import { checkAutomation, patchAutomation } from '../automations';
import {
  ROLLOUT_STOPPED,
  auditedLaunch,
  checkLaunch,
  contentOf,
  countAudience,
  readCampaign,
  resumeCampaign,
  sendCampaign,
} from '../campaigns';
import type { Campaign, SendOptions } from '../campaigns';
import { UNVERSIONED, counted, hashOf, Changed } from './model';
import type { Kind, ApprovalRequest } from './model';
import { storeJob, surveyImport } from '../../audience/lists';
import type { ContactImport } from '../../audience/lists';
import { findSuppression, liftSuppression } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';
import { htmlToText } from '../../message/template';
import { acceptSend, checkSend } from '../../sending/accept';
import type { CheckedSend, Draft, SendMessage, SendRequest } from '../../sending/accept';
import { unpacked } from './payload';

type Send = Extract<ApprovalRequest, { readonly operation: 'sendCampaign' }>;
type Resume = Extract<ApprovalRequest, { readonly operation: 'resumeCampaign' }>;
type Activate = Extract<ApprovalRequest, { readonly operation: 'updateWorkflow' }>;

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

/** Says that a launch is forced, and why. */
const forceWords = ({ options, forceReason }: Send): string =>
  options.force ? ` Checks that block the launch are overridden${forceReason === undefined ? '' : `: ${quoted(forceReason)}`}.` : '';

const sending = (request: Send): Kind => ({
  async describe(ctx) {
    const { campaignId, options } = request;
    const campaign = await checkLaunch(ctx, campaignId, options);
    const { name, subject, abSubjectB, segmentId } = campaign;
    const recipients = await countAudience(ctx.project, campaign, new Date());
    const conditions = await conditionsOf(ctx, segmentId === null ? [] : [segmentId]);
    return {
      summary: {
        text: `Sends the campaign ${quoted(name)} to ${counted(recipients, 'contact')} ${startOf(campaign, options)}.${forceWords(request)}`,
        subject: abSubjectB === null ? subject : `${subject} / ${abSubjectB}`,
        recipients,
      },
      basis: { version: versionOfLaunch(campaign), references: hashOf(conditions, ...(await stringsShown(ctx, contentOf(campaign)))) },
    };
  },
  async perform(ctx, recipients, keep) {
    const { campaignId, options } = request;
    await sendCampaign(ctx, campaignId, { ...options, ...(recipients !== null && { approvedFor: recipients }) }, (session, started) =>
      keep(session, { version: versionOfLaunch(started) }),
    );
  },
  at: request.options.scheduledFor,
  audited: auditedLaunch('campaign.send', request.campaignId, { force: request.options.force, forceReason: request.forceReason }),
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

/** Rows of a file that one approval covers. A person imports longer ones. */
const MOST_ROWS = 10_000;
const FIRST = 5;

/** Returns how an approval of an import is carried out, of a file that is stored already. */
const importing = ({ job }: { readonly job: ContactImport }): Kind => ({
  async describe(ctx) {
    const { segmentId, enrols } = job;
    const survey = await surveyImport(job, MOST_ROWS);
    if (!survey) throw new Changed('Its file is no longer kept');
    if (survey.isLonger)
      throw invalid('file', 'too_big', `An import of more than ${MOST_ROWS} rows must be started by a person, in the console`);
    const { emails, unusable, hash } = survey;
    const segment = segmentId === null ? null : await getSegment(ctx, segmentId);
    const texts = [
      `Imports ${counted(emails.length, 'contact')} from a file${segment ? ` into the segment “${segment.name}”` : ''}.`,
      enrols ? 'Active automations enroll them as if they came one by one.' : 'No automation enrolls them.',
      ...(unusable > 0 ? [`${counted(unusable, 'row')} cannot be used.`] : []),
    ];
    return {
      summary: { text: texts.join(' '), subject: null, recipients: emails.length },
      basis: { version: UNVERSIONED, references: hashOf(hash, segmentId, enrols) },
      shown: { subject: null, first: emails.slice(0, FIRST), excerpt: null },
      names: emails,
    };
  },
  async perform(ctx, _recipients, keep) {
    await storeJob(ctx, { ...job, createdAt: new Date() }, (session) => keep(session, { version: UNVERSIONED }));
  },
  at: null,
  audited: ['contacts.import', job._id],
});

const REASONS = {
  hard_bounce: 'a hard bounce',
  complaint: 'a complaint',
  unsubscribe: 'an opt-out',
  manual: 'an entry by hand',
} as const satisfies Record<Suppression['reason'], string>;

const hashOfRecord = ({ reason, source, hiddenOptOut }: Suppression): string => hashOf(reason, source, hiddenOptOut);

function effectOf({ reason, hiddenOptOut }: Suppression): string {
  const from = `Removes a suppression that is due to ${REASONS[reason]}: the address gets`;
  if (reason === 'unsubscribe') return `${from} marketing mail again.`;
  return hiddenOptOut ? `${from} mail again, except marketing mail.` : `${from} all mail again.`;
}

/** Returns how an approval to remove a suppression is carried out. */
const lifting = ({ suppressionId }: { readonly suppressionId: string }): Kind => ({
  async describe(ctx) {
    const record = await findSuppression(ctx, suppressionId);
    if (!record) throw notFound('Suppression');
    return {
      summary: { text: effectOf(record), subject: null, recipients: null },
      basis: { version: UNVERSIONED, references: hashOfRecord(record) },
      shown: { subject: null, first: [record.email], excerpt: null },
      names: [record.email],
    };
  },
  async perform(ctx, _recipients, keep) {
    await liftSuppression(ctx, suppressionId, (session, record) =>
      keep(session, { version: UNVERSIONED, references: hashOfRecord(record) }),
    );
  },
  at: null,
  audited: ['suppression.delete', suppressionId],
});

const EXCERPT = 2_000;

// A batch is sent as a whole or not at all: what was approved is what is sent.
const requestOf = (messages: readonly SendMessage[]): SendRequest => ({
  endpoint: 'batch',
  allOrNothing: true,
  messages,
  idempotency: null,
});

const firstOf = (messages: readonly SendMessage[]): Date | null =>
  messages.reduce<Date | null>((first, { sendAt }) => (sendAt && (!first || sendAt < first) ? sendAt : first), null);

/** Says what the first recipient of the first message will read, and how many other subjects there are. */
function shownOf({ drafts: [first, ...others], recipients }: CheckedSend) {
  const subjectOf = (draft: typeof first): string => draft?.recipients[0]?.subject ?? draft?.source.subject ?? '';
  const different = new Set(others.map(subjectOf));
  different.delete(subjectOf(first));
  const { html = null, text = null } = first?.source ?? {};
  return {
    subject: different.size === 0 ? subjectOf(first) : `${subjectOf(first)} (and ${counted(different.size, 'other subject')})`,
    first: recipients.slice(0, FIRST),
    excerpt: (text ?? htmlToText(html ?? '')).slice(0, EXCERPT),
  };
}

/** Returns how an approval of a batch is carried out. */
function sendingBatch(content: Buffer | null): Kind {
  const messages = unpacked(content);
  const at = firstOf(messages);
  const referencesOf = (drafts: readonly Draft[]): string =>
    hashOf(
      content?.toString('base64'),
      drafts.map(({ contentHash, fromEmail, fromName, type }) => [contentHash, fromEmail, fromName, type]),
    );
  return {
    async describe(ctx) {
      const checked = await checkSend(ctx, requestOf(messages));
      const { drafts, recipients } = checked;
      const start = at ? `, the first ${messages.every(({ sendAt }) => sendAt) ? `at ${at.toISOString()}` : 'at once'}` : ' at once';
      return {
        summary: {
          text: `Sends ${counted(messages.length, 'message')} to ${counted(recipients.length, 'recipient')}${start}.`,
          subject: null,
          recipients: recipients.length,
        },
        basis: { version: UNVERSIONED, references: referencesOf(drafts) },
        shown: shownOf(checked),
        names: recipients,
      };
    },
    async perform(ctx, _recipients, keep) {
      await acceptSend(ctx, {
        ...requestOf(messages),
        keep: (session, drafts) => keep(session, { version: UNVERSIONED, references: referencesOf(drafts) }),
      });
    },
    at,
    audited: ['batch.send', null],
  };
}
