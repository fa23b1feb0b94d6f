import type { Core } from '../../platform/core';
import { callOut } from '../../platform/http-client';
import type { Answered, Call, Permit } from '../../platform/http-client';
import { metrics } from '../../platform/metrics';
import { readRetryAfter, retryWaitMs, isGivenUp } from '../../rules/webhook-retry';
import { answer } from '../../platform/async';
import type { Webhook } from './model';
import { noteReached, recordAttempt } from './queue';
import type { Result, Taken } from './queue';
import { signingSecrets } from './secrets';
import { createHmac } from 'node:crypto';
import { inTransaction } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { hear } from './event-deliveries';
import { WebhookModel } from './model';
import { endOfRetries, wantedBy, watchRetries } from './retries';

const GONE = 410;

/**
 * Attempts a delivery once and records the outcome, first for the delivery, then for the endpoint.
 *
 * | killed                      | found                              | happens                                                        |
 * |-----------------------------|------------------------------------|----------------------------------------------------------------|
 * | before the call, or in it   | pending, claimed, lease running    | claimed again when the lease is over; the attempt's number is the same |
 * | after the delivery's record | its state, the failure not counted | one failure in a row is missing; the next delivery gets the 410 again |
 * | after the endpoint's record | its retry noted, no workflow       | the sweep starts it (`lookAtRetries`)                          |
 */
export async function attempt(core: Core, { webhook, delivery, permit }: Attempt, clock: () => Promise<Date>): Promise<void> {
  const began = performance.now();
  const answered = await call(core, webhook, delivery);
  permit.leave(answered);
  const latencyMs = Math.round(performance.now() - began);
  metrics.webhookSeconds.observe(latencyMs / 1_000);
  const at = await clock();
  const isGone = answered.status === GONE;
  const retryAt = answered.error === null || isGone ? null : nextAttempt(core, delivery, answered, at);
  const { status, body, error } = answered;
  const result: Result = {
    responseStatus: status,
    responseBody: body,
    error,
    latencyMs,
    status: error === null ? 'succeeded' : retryAt ? 'pending' : 'failed',
    nextAttemptAt: retryAt,
  };
  metrics.webhookAttempts.inc({ outcome: result.status === 'pending' ? 'retried' : result.status });
  await answer(() => record(core, { webhook, delivery, result, at, errorClass: answered.errorClass ?? '' }));
}

interface Attempt {
  readonly webhook: Webhook;
  readonly delivery: Taken;
  readonly permit: Permit;
}

interface Attempted {
  readonly webhook: Webhook;
  readonly delivery: Taken;
  readonly result: Result;
  readonly at: Date;
  readonly errorClass: string;
}

async function record(core: Core, { webhook, delivery, result, at, errorClass }: Attempted): Promise<void> {
  // Before its own record: killed in between, the replay is attempted again.
  if (result.status === 'succeeded') await noteReached(delivery);
  if (!(await recordAttempt(delivery, result, at))) return;
  if (result.status === 'succeeded') await noteSuccess(webhook);
  else if (result.responseStatus === GONE) await switchOff(core, webhook, 'gone', at);
  else await noteFailure(core, webhook, { at, errorClass, retryAt: result.nextAttemptAt });
}

type Key = Pick<Webhook, '_id' | 'projectId'>;

/** Notes a success, which resets the count of failures. */
async function noteSuccess({ _id, projectId }: Key): Promise<void> {
  await WebhookModel.collection.updateOne(
    { _id: _id, projectId, failures: { $gt: 0 } },
    { $set: { failures: 0 }, $unset: { failingSince: '' } },
  );
}

interface Failure {
  readonly at: Date;
  readonly errorClass: string;
  /** When the delivery is tried again; null when it is over. */
  readonly retryAt: Date | null;
}

/**
 * Counts a failure, and signals the endpoint's workflow unless it checks by then anyway. Switches off an endpoint without a success
 * for five days.
 */
async function noteFailure(core: Core, { _id, projectId }: Key, { at, errorClass, retryAt }: Failure): Promise<void> {
  const checkAt = retryAt && wantedBy(retryAt);
  const after = (await WebhookModel.collection.findOneAndUpdate(
    { _id: _id, projectId, enabled: true },
    [
      {
        $set: {
          failures: { $add: ['$failures', 1] },
          failingSince: { $ifNull: ['$failingSince', at] },
          lastError: { $literal: errorClass },
          ...(checkAt && { retryCheckAt: { $min: ['$retryCheckAt', checkAt] } }),
        },
      },
    ],
    { returnDocument: 'after' },
  )) as unknown as Webhook | null;
  if (!after) return;
  if (after.failingSince && isGivenUp(after.failingSince, at)) await switchOff(core, after, 'failing', at);
  else if (checkAt && after.retryCheckAt?.getTime() === checkAt.getTime()) await watchRetries(core, after);
}

/** Switches an endpoint off: its deliveries stay as they are, and no more are made. Does nothing when it is off. */
async function switchOff(core: Core, { _id, projectId }: Key, disabledReason: Webhook['disabledReason'], at: Date): Promise<void> {
  const isDone = await inTransaction(async (session) => {
    const key = { _id: _id, projectId };
    const before = (await WebhookModel.collection.findOneAndUpdate(
      { ...key, enabled: true },
      { $set: { enabled: false, disabledReason, updatedAt: at }, $unset: { dueAt: '', retryCheckAt: '' } },
      { session },
    )) as unknown as Webhook | null;
    if (!before) return false;
    const heard = await hear(session, before, { ...before, enabled: false });
    await WebhookModel.collection.updateOne(key, { $set: heard }, { session });
    await wantNow(session, core, [endOfRetries(_id)]);
    return true;
  });
  if (isDone) metrics.webhooksSwitchedOff.inc({ reason: disabledReason ?? 'owner' });
}

function nextAttempt({ config }: Core, { attempts }: Taken, { retryAfter }: Answered, at: Date): Date | null {
  const failed = { attempt: attempts + 1, retryAfterMs: readRetryAfter(retryAfter, at), chance: Math.random() };
  const waitMs = retryWaitMs(config.WEBHOOK_RETRY_SECONDS, failed);
  return waitMs === null ? null : new Date(at.getTime() + waitMs);
}

async function call(core: Core, webhook: Webhook, delivery: Taken): Promise<Answered> {
  const { config, dns } = core;
  let request: Call;
  try {
    request = { url: new URL(webhook.url), method: 'POST', headers: headersOf(core, webhook, delivery), body: delivery.body };
  } catch (fault) {
    core.log.error({ err: fault, webhookId: webhook._id }, 'A delivery could not be signed');
    const error = 'The delivery could not be signed';
    return { status: null, body: null, error, errorClass: 'not signed', retryAfter: null, temporary: true };
  }
  return callOut(request, { rules: config, dns, limitMs: config.WEBHOOK_TIMEOUT_SECONDS * 1_000 });
}

/** Returns the headers. Receivers compare the instant of a signature with their own clocks, so it is the real time even where tests skip time. */
function headersOf(
  core: Core,
  webhook: Webhook,
  { _id, eventId, eventName, sequence, attempts, body }: Taken,
): Readonly<Record<string, string>> {
  const now = new Date();
  const signature = signatureHeaders({ eventId, body, at: Math.floor(now.getTime() / 1_000), secrets: signingSecrets(core, webhook, now) });
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Lettermill-Webhooks/1.0',
    'X-Service-Event': eventName,
    'X-Service-Delivery': _id,
    'X-Service-Attempt': String(attempts + 1),
    'X-Service-Sequence': String(sequence),
    ...(webhook.format === 'resend' ? withSvixNames(signature) : signature),
  };
}

/** Adds the headers of Standard Webhooks under their older names, which receivers of Resend's webhooks read. */
const withSvixNames = (headers: ReturnType<typeof signatureHeaders>): Readonly<Record<string, string>> => ({
  ...headers,
  ...Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('webhook-'))
      .map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
  ),
});

interface Signed {
  readonly eventId: string;
  readonly body: string;
  /** Unix seconds. */
  readonly at: number;
  /** Each of them makes a signature. */
  readonly secrets: readonly string[];
}

/**
 * Returns the headers that prove a delivery's origin, in two schemes over the same secret: Stripe's, whose key is the whole text of the
 * secret, and Standard Webhooks', whose key is the bytes that follow `whsec_` in base64.
 */
export function signatureHeaders({ eventId, body, at, secrets }: Signed): Readonly<Record<string, string>> {
  const plain = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${at}.${body}`).digest('base64')}`;
  });
  return {
    'X-Service-Signature': [`t=${at}`, ...plain].join(','),
    'webhook-id': eventId,
    'webhook-timestamp': String(at),
    'webhook-signature': standard.join(' '),
  };
}
