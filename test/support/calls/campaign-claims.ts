import type { CampaignRecipient } from '../../../src/marketing/campaigns/model';
import type { untilDone } from '../../../src/platform/async';
import { newId } from '../../../src/platform/core/ids';
import { inTransaction } from '../../../src/platform/mongo/transaction';
import type { Outcome } from '../../../src/records/emails/attempts';
import { endClaims, insertClaims } from '../../../src/records/emails/claims';
import type { CampaignClaim } from '../../../src/records/emails/claims';
import type { Email } from '../../../src/records/emails/model';
import type { Attempt } from '../../../src/records/emails/parts';
import { toEmail } from '../../../src/records/emails/row';
import { listeningOf } from '../../../src/records/events/listeners';
import { acceptedOutcome } from '../../../src/sending/deliver/outcome';
import { recordWritten } from '../../../src/sending/deliver/record';
import { takeOverClaims } from '../../../src/sending/deliver/lease';
import { acceptedAlike } from '../data/accepted';
import { stored } from '../data/stored';
import type { TestApp } from '../platform/app';

/** The next server's reply to the messages. */
export const ACCEPTED = '250 2.0.0 Ok: queued as 4F2A';

/** The events of an accepted message, newest first. */
export const ALL_NAMES = ['email.delivered', 'email.sent', 'email.queued'];

interface OnTheWire {
  readonly attempt: Attempt;
  readonly recipients: readonly CampaignRecipient[];
  readonly emails: readonly Email[];
}

/** An event of a message, and not of its campaign. */
export const ofMessage = ({ name }: { readonly name: string }): boolean => /^email\.(?!campaign_)/.test(name);

/** An event as the API lists it. */
interface Listed {
  readonly eventId: string;
  readonly name: string;
  readonly emailId: string;
  readonly contactId: string;
  readonly data: object;
}

/** Tries each step but once. */
const once: typeof untilDone = (_core, _trouble, work) => work();

function emailOf(campaignId: string, attempt: Attempt, { projectId, emailId, email, contactId }: CampaignRecipient): Email {
  return toEmail({
    _id: emailId,
    projectId,
    campaignId,
    contactId,
    to: email,
    shard: 3,
    priority: 2,
    status: 'sending',
    source: 'campaign',
    type: 'marketing',
    testMode: false,
    attempts: 1,
    fromEmail: 'team@hello.test',
    subject: 'Hello',
    values: '{}',
    messageId: `<${emailId}@hello.test>`,
    createdAt: attempt.at,
    attempt,
  });
}

const store = (claim: CampaignClaim): Promise<void> => inTransaction((session) => insertClaims([claim], session));

const accepted = ({ emails }: Pick<OnTheWire, 'emails'>): Outcome[] =>
  emails.map((email) => acceptedOutcome(email, ACCEPTED, { acceptedIsDelivered: true }, new Date()));

/** Plays the workers of campaign messages of the first project, without a mail server. */
export const claimCalls = (app: () => TestApp) => {
  const calls = {
    accepted,
    store,
    /** A worker has claimed all of a campaign's recipients, or some; with `begun`, their messages are on the wire. */
    async claimed(campaignId: string, begun = true, some?: readonly CampaignRecipient[]): Promise<OnTheWire> {
      const recipients = some ?? (await stored.recipients.all({ campaignId }, { _id: 1 }));
      const attempt: Attempt = { id: newId('att'), worker: 'wrk_lost', at: new Date() };
      const campaign = await stored.campaigns.get(campaignId);
      await store({
        _id: attempt.id,
        projectId: campaign.projectId,
        campaignId,
        page: `${campaignId}/`,
        testMode: false,
        worker: attempt.worker,
        at: attempt.at,
        begun,
        emails: recipients.map(({ emailId }) => emailId),
        contacts: recipients.map(({ contactId }) => contactId),
        to: recipients.map(({ email }) => email),
        contents: recipients.map(() => campaign.contentIds?.a ?? ''),
        month: attempt.at.toISOString().slice(0, 7),
      });
      return { attempt, recipients, emails: recipients.map((recipient) => emailOf(campaignId, attempt, recipient)) };
    },
    /** Records the outcome of the messages, and ends their claim. */
    async record(onTheWire: OnTheWire, outcomes = accepted(onTheWire), tried = once): Promise<void> {
      const { projectId } = app().keys;
      const alike = acceptedAlike(
        projectId,
        outcomes.filter((one) => one.accepted),
      );
      const finished = outcomes.filter((one) => !one.accepted);
      const calls = { listening: () => listeningOf(projectId), recorded: () => undefined };
      await recordWritten(app().core, { attempt: onTheWire.attempt, alike, finished, ...calls }, tried);
      await endClaims([{ _id: onTheWire.attempt.id, campaignId: onTheWire.emails[0]?.campaignId ?? '' }]);
    },
    /** Resolves to the shards to wake. */
    takeOver: (): Promise<readonly number[]> =>
      takeOverClaims(app().core, { worker: 'wrk_lost', except: [], claimedBefore: new Date() }, new Date()),
    /** Events of messages, newest first. */
    async events(query: object = {}): Promise<Listed[]> {
      const { body } = await app()
        .api()
        .get('/v1/events')
        .query({ limit: 100, ...query })
        .expect(200);
      return (body.data as Listed[]).filter(ofMessage);
    },
    namesOf: async (emailId: string): Promise<string[]> =>
      (await calls.events()).filter((event) => event.emailId === emailId).map(({ name }) => name),
  };
  return calls;
};
