import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APPROVAL, DOMAIN, PERSON, RECEIVED, SERIES, sampleId } from '../../../api/openapi/story-parts';
import { ApprovalModel } from '../../../src/marketing/approvals/model';
import { newId } from '../../../src/platform/core/ids';
import { addPerson } from '../../../src/records/members/service';
import { getProject } from '../../../src/records/projects/service';
import { keepSession } from '../../../src/records/smtp-sessions';
import { DomainReportModel, SentDayModel } from '../../../src/sending/domain-reports/model';
import { receiveMessage } from '../../../src/sending/inbound';
import { FORMATS, entries } from '../data/feeds';
import type { TestApp } from '../platform/app';
import { handOnAll } from '../servers/webhooks';
import { carryOut } from './imports';

/** A run of the story, for what is done between its calls. */
export interface ExampleRun {
  readonly projectId: string;
  readonly key: string;
  readonly names: {
    /** Maps an id of this run to one of the examples, out of order. */
    bind(id: string, sample: string): void;
    /** Replaces ids of the examples by those of this run. */
    meant(text: string): string;
  };
}

/** A message with an attachment, as the SMTP server takes it in. */
async function received({ core }: TestApp, { projectId, names }: ExampleRun): Promise<void> {
  const project = await getProject(projectId);
  const attachments = [{ filename: 'notes.txt', contentType: 'text/plain', size: 14, content: Buffer.from('Meeting notes\n') }];
  const message = { from: 'ada@example.com', to: 'support@example.com', subject: 'Notes', text: 'See below', attachments };
  names.bind(await receiveMessage({ core, project, testMode: false }, message), RECEIVED);
}

/** A person who was invited before. */
async function joined(_app: TestApp, { projectId, names }: ExampleRun): Promise<void> {
  names.bind(await addPerson(projectId, { address: 'ada@example.com', name: 'Ada Lovelace', role: 'marketer' }), PERSON);
}

/** A report of each kind, on a day on which mail was sent. */
async function reported(_app: TestApp, { projectId }: ExampleRun): Promise<void> {
  const domain = 'mail.example.com';
  const day = new Date(Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000);
  const report = {
    projectId,
    domain,
    organization: 'Mailbox Inc.',
    reporter: 'mailbox.example',
    from: day,
    to: new Date(),
    day,
    createdAt: day,
  };
  const row = { ip: '192.0.2.1', messages: 1_180, disposition: 'none', dkim: true, spf: true, ours: true, sender: domain } as const;
  const stranger = { ...row, ip: '198.51.100.7', messages: 12, dkim: false, spf: false, ours: false, sender: 'crm.example.net' };
  await DomainReportModel.create([
    {
      ...report,
      _id: `${projectId}/dmarc`,
      kind: 'dmarc',
      reportId: '1',
      messages: 1_192,
      aligned: 1_180,
      ours: 1_180,
      policy: { p: 'none', sp: null, pct: null, adkim: 'r', aspf: 'r' },
      sources: [row, stranger],
    },
    {
      ...report,
      _id: `${projectId}/tls`,
      kind: 'tls',
      reportId: '2',
      tls: [{ type: 'sts', successful: 320, failed: 2, failures: [{ type: 'certificate-expired', sessions: 2 }] }],
    },
  ]);
  await SentDayModel.create({ _id: `${projectId}/${day.toISOString()}`, projectId, day, domains: [{ domain, sent: 1_190 }] });
}

/** A session of SMTP submission, as the SMTP server writes it down. */
const handedIn = (_app: TestApp, { projectId, names }: ExampleRun): Promise<void> =>
  keepSession({
    _id: newId('smtp', Date.now()),
    projectId,
    testMode: false,
    createdAt: new Date(),
    endedAt: new Date(),
    network: '203.0.113.0/24',
    client: 'shop.example.com',
    tls: 'TLSv1.3',
    keyPrefix: 'sk_0123456789ab',
    accepted: 1,
    refused: 1,
    emailIds: [names.meant(sampleId('em'))],
    refusals: ['550 5.7.1 The domain example.net is not verified in this project'],
  });

/** A recurring campaign, and the server of its feed, which answers once. */
async function withFeed(app: TestApp, { key, names }: ExampleRun): Promise<void> {
  const server = createServer((_req, res) => {
    res.end(FORMATS.rss(entries(1, 2)));
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const content = { name: 'From the blog', subject: '{{feed.items.0.title}}', body: '<p>News</p>', fromEmail: `news@${DOMAIN}` };
  const feed = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed` };
  const schedule = { rrule: 'FREQ=WEEKLY', timezone: 'UTC' };
  const { body } = await app
    .api(key)
    .post('/v1/campaigns')
    .send({ ...content, schedule, feed })
    .expect(201);
  names.bind((body as { data: { campaignId: string } }).data.campaignId, SERIES);
}

/** An approval that another key requested, and that nobody has decided. */
const ofAnother = (_app: TestApp, { names }: ExampleRun): Promise<unknown> =>
  ApprovalModel.updateOne(
    { _id: names.meant(APPROVAL) },
    { $set: { state: 'pending', requestedBy: 'key sk_0123456789ab', decidedAt: null, decidedBy: null, decisionReason: null } },
  );

/** Does the work of workflows and pumps before an example. */
export const BEFORE: Readonly<Record<string, (app: TestApp, run: ExampleRun) => Promise<unknown>>> = {
  createApprovalLink: ofAnother,
  rejectApproval: ofAnother,
  getImport: (_app, { names, projectId }) => carryOut(names.meant(sampleId('imp')), projectId),
  getDomainReports: reported,
  getCampaignFeed: withFeed,
  getInboundAttachment: received,
  listMembers: joined,
  listSmtpSessions: handedIn,
  listDeliveries: (app) => handOnAll(app.core),
};
