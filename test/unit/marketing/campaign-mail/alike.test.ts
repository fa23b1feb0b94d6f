import fc from 'fast-check';
import { FastKit } from '../../../../src/marketing/campaign-mail/alike/fast';
import type { AlikeKit, AlikeMessage, Composed } from '../../../../src/marketing/campaign-mail/alike/kit';
import { PlainKit } from '../../../../src/marketing/campaign-mail/alike/kit';
import { campaignEmail } from '../../../../src/marketing/campaign-mail/mail';
import type { Outgoing } from '../../../../src/marketing/campaign-mail/mail';
import { generateDkimKeyPair, loadDkimKey } from '../../../../src/message/dkim/dkim';
import type { DkimKey } from '../../../../src/message/dkim/dkim';
import { newId } from '../../../../src/platform/core/ids';
import { messageIdOf } from '../../../../src/records/emails/urls';
import type { Email } from '../../../../src/records/emails/model';
import { answerOutcome } from '../../../../src/sending/deliver/outcome';
import { campaignMailId } from '../../../../src/rules/campaign-mail-ids';
import { nastyText } from '../../../support/data/nasty-text';
import { testCore } from '../../../support/platform/app';

const core = testCore();
const AT = new Date('2026-11-21T09:30:00.000Z');
const CAMPAIGN = newId('cmp');
const FROM = 'news@hello.test';
const attempt = { id: newId('att'), worker: 'wrk_1', at: AT };

let dkim: DkimKey;

beforeAll(async () => {
  dkim = loadDkimKey('hello.test', 'mail', (await generateDkimKeyPair()).privateKeyPem);
});

interface Campaign {
  readonly fromName: string | null;
  readonly replyTo: string | null;
  readonly trackingHost: string | undefined;
}

const outgoingOf = ({ fromName, replyTo, trackingHost }: Campaign): Outgoing => ({
  campaign: {
    _id: CAMPAIGN,
    projectId: 'prj_1',
    fromEmail: FROM,
    fromName,
    replyTo,
    testMode: false,
    topic: null,
  } as unknown as Outgoing['campaign'],
  hosts: { ...(trackingHost !== undefined && { trackingHost }) },
  untracked: undefined,
  limits: undefined,
  dkim,
});

const anyCampaign = fc.record({
  fromName: fc.option(nastyText(5)),
  replyTo: fc.constantFrom(null, 'reply@hello.test'),
  trackingHost: fc.constantFrom(undefined, 'go.hello.test'),
});

const anyMessage = fc.record({
  /** Whether its id is made of its contact's. */
  isNamed: fc.boolean(),
  contentId: fc.constantFrom('cnt_a', 'cnt_b'),
  subject: nastyText(),
  html: nastyText(),
  text: nastyText(),
  reply: fc.constantFrom('2.0.0 Ok: queued as 4F2A', '2.0.0 Ok: queued as 9B7C', 'OK'),
  at: fc.integer({ min: 0, max: 60_000 }).map((ms) => AT.getTime() + ms),
});

function messageOf({ isNamed, contentId, subject }: { isNamed: boolean; contentId: string; subject: string }, index: number): AlikeMessage {
  const contactId = newId('ctc');
  const _id = isNamed ? campaignMailId(`em_01kajw3v8${CAMPAIGN.slice(-3)}`, contactId) : newId('em');
  return {
    addressed: {
      recipient: {
        emailId: _id,
        email: `user-${index}@example.test`,
      },
      contact: { _id: contactId },
    } as unknown as AlikeMessage['addressed'],
    contentId,
    subject,
    values: JSON.stringify({ index }),
    messageId: messageIdOf(_id, FROM),
  };
}

async function bytesOf(composed: Composed): Promise<string> {
  await composed.ready;
  return composed.message();
}

async function writtenBy(composed: Composed): Promise<string> {
  await composed.ready;
  const room = Buffer.alloc(1 << 18);
  return room.toString('latin1', 3, composed.writeTo(room, 3));
}

test('messages that share most are byte for byte what each would be alone, and so are their rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyCampaign,
      fc.array(anyMessage, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (campaign, messages, isDelivered) => {
        const outgoing = outgoingOf(campaign);
        const emailOf = (message: AlikeMessage): Email => campaignEmail(outgoing, message, { month: '2026-11', credits: 1 }, attempt);
        const rules = { route: 'smarthost', retrySeconds: [], acceptedIsDelivered: isDelivered } as const;
        const [plain, fast]: AlikeKit[] = [new PlainKit(core, dkim, emailOf), new FastKit(core, dkim, emailOf)];
        for (const [index, one] of messages.entries()) {
          const message = messageOf(one, index);
          const rendered = { subject: one.subject, html: [one.html], text: [one.text] };
          const alone = await bytesOf(plain!.compose(message, rendered));
          expect(await bytesOf(fast!.compose(message, rendered))).toBe(alone);
          expect(await writtenBy(fast!.compose(message, rendered))).toBe(alone);
          expect(alone).not.toMatch(/(?:^|\r\n)\./);

          const reply = { code: 250, enhanced: null, text: one.reply };
          const outcomeOf = () => answerOutcome(emailOf(message), { accepted: true, reply }, rules, new Date(one.at));
          const answer = { reply, at: one.at };
          expect(fast!.row(message, answer, outcomeOf)).toEqual(plain!.row(message, answer, outcomeOf));
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('a message that does not fit is left to be asked for whole, and is there only once it is signed', async () => {
  const outgoing = outgoingOf({ fromName: null, replyTo: null, trackingHost: undefined });
  const kit = new FastKit(core, dkim, (message) => campaignEmail(outgoing, message, null, attempt));
  const message = messageOf({ isNamed: true, contentId: 'cnt_a', subject: 'Hello' }, 1);
  const composed = kit.compose(message, { subject: 'Hello', html: [], text: ['x'.repeat(2_000)] });
  expect(composed.writeTo(Buffer.alloc(10_000), 0)).toBe(-1);
  expect(() => composed.message()).toThrow('could not be signed');
  await composed.ready;
  expect(composed.ready).toBeNull();
  expect(composed.writeTo(Buffer.alloc(1_000), 0)).toBe(-1);
  expect(composed.message()).toMatch(/^DKIM-Signature: /);
});
