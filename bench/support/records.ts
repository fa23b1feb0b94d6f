import type { Core } from '../../src/platform/core';
import { acceptedOutcome } from '../../src/sending/deliver/outcome';
import { recordWritten } from '../../src/sending/deliver/record';
import { acceptedAlike } from '../../test/support/data/accepted';
import { endClaims, insertClaims, messageIdOf, toEmail } from '../../src/records/emails';
import type { Attempt, Email } from '../../src/records/emails';
import { listeningOf } from '../../src/records/events';
import { addressId, newId, timePrefix } from '../../src/platform/core';
import { inTransaction } from '../../src/platform/mongo';
import { campaignMailId, campaignStart } from '../../src/rules/campaign-mail-ids';
import { quietCore } from './mail';
import { cpuSeconds } from './processes';
import type { Ground } from './processes';

const CHUNK = 50;
const CHUNKS_AT_ONCE = 2;
const RULES = { route: 'smarthost', retrySeconds: [], acceptedIsDelivered: true } as const;

interface Records {
  readonly perSecond: number;
  /** CPU per message in microseconds. */
  readonly own: number;
  readonly mongod: number;
}

/** Measures the cost of a campaign's records alone: writes them by the same functions and in equally large chunks, without mail. */
export function campaignRecordsAlone(ground: Ground, size: number): Promise<Records> {
  const core = quietCore(ground.env);
  const campaignId = newId('cmp');
  let left = size;
  const work = async (): Promise<void> => {
    for (; left > 0; left -= CHUNK) await recordChunk(core, ground.keys.projectId, campaignId, left);
  };
  return measured(ground, size, async () => {
    await Promise.all(Array.from({ length: CHUNKS_AT_ONCE }, work));
  });
}

async function measured(ground: Ground, size: number, work: () => Promise<void>): Promise<Records> {
  const before = { own: process.cpuUsage(), mongod: cpuSeconds(ground.mongod.pid), at: performance.now() };
  await work();
  const { user, system } = process.cpuUsage(before.own);
  return {
    perSecond: (size * 1000) / (performance.now() - before.at),
    own: (user + system) / size,
    mongod: ((cpuSeconds(ground.mongod.pid) - before.mongod) * 1e6) / size,
  };
}

async function recordChunk(core: Core, projectId: string, campaignId: string, n: number): Promise<void> {
  const attempt: Attempt = { id: newId('att'), worker: 'bench', at: new Date() };
  const emails = Array.from({ length: CHUNK }, (_, index) => emailOf(projectId, campaignId, n * CHUNK + index, attempt));
  const ids = emails.map(({ _id }) => _id);
  const contacts = emails.map(({ contactId }) => contactId ?? '');
  const claim = { projectId, campaignId, testMode: false, worker: attempt.worker, at: attempt.at, month: null, begun: true };
  const whole = { ...claim, _id: attempt.id, page: `${campaignId}/`, emails: ids, contacts, to: emails.map(({ to }) => to), contents: [] };
  await inTransaction((session) => insertClaims([whole], session));
  const accepted = emails.map((email) => acceptedOutcome(email, '250 2.0.0 OK', RULES, new Date()));
  const calls = { listening: () => listeningOf(projectId), recorded: () => undefined };
  await recordWritten(core, { attempt, alike: acceptedAlike(projectId, accepted), finished: [], ...calls });
  await endClaims([{ _id: attempt.id, campaignId }]);
}

function emailOf(projectId: string, campaignId: string, n: number, attempt: Attempt): Email {
  const contactId = addressId('ctc', 'bench', `user-${n}@example.com`);
  const _id = campaignMailId(campaignStart(timePrefix('em', attempt.at.getTime()), campaignId), contactId);
  return toEmail({
    _id,
    projectId,
    campaignId,
    attempt,
    shard: 0,
    priority: 1,
    status: 'sending',
    source: 'campaign',
    type: 'marketing',
    testMode: false,
    attempts: 1,
    to: `user-${n}@example.com`,
    fromEmail: 'hello@hello.test',
    subject: `News for First${n}`,
    contactId,
    contentId: 'bench',
    values: JSON.stringify({
      firstName: `First${n}`,
      data: { city: 'Berlin' },
    }),
    charge: { month: '2026-01', credits: 1 },
    messageId: messageIdOf(_id, 'hello@hello.test'),
    createdAt: attempt.at,
  });
}
