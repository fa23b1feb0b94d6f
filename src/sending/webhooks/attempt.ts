import type { Core } from '../../platform/core';
import { callOut } from '../../platform/http-client';
import type { Answered, Call, Pass } from '../../platform/http-client';
import { metrics } from '../../platform/metrics';
import { readRetryAfter, retryWaitMs } from '../../rules/webhook-retry';
import { answer } from '../../platform/async';
import { noteFailure, noteSuccess, switchOff } from './health';
import type { Webhook } from './model';
import { recordAttempt } from './queue';
import type { Result, Taken } from './queue';
import { signingSecrets } from './secrets';
import { signatureHeaders } from './sign';

const GONE = 410;

/**
 * Makes one attempt and records the outcome, first for the delivery, then for the endpoint.
 *
 * | killed                      | found                              | happens                                                        |
 * |-----------------------------|------------------------------------|----------------------------------------------------------------|
 * | before the call, or in it   | pending, claimed, lease running    | claimed again when the lease is over; the attempt's number is the same |
 * | after the delivery's record | its state, the failure not counted | one failure in a row is missing; the next delivery gets the 410 again |
 * | after the endpoint's record | its retry noted, no workflow       | the sweep starts it (`lookAtRetries`)                          |
 */
export async function attempt(core: Core, { webhook, delivery, pass }: Attempt, clock: () => Promise<Date>): Promise<void> {
  const began = performance.now();
  const answered = await call(core, webhook, delivery);
  pass.leave(answered);
  const latencyMs = Math.round(performance.now() - began);
  metrics.webhookSeconds.observe(latencyMs / 1_000);
  const at = await clock();
  const isGone = answered.status === GONE;
  const retryAt = answered.error === null || isGone ? null : nextAttempt(core, delivery, answered, at);
  const { status, body, error } = answered;
  const result: Result = {
    ...{ responseStatus: status, responseBody: body, error, latencyMs },
    status: error === null ? 'succeeded' : retryAt ? 'pending' : 'failed',
    nextAttemptAt: retryAt,
  };
  metrics.webhookAttempts.inc({ outcome: result.status === 'pending' ? 'retried' : result.status });
  await answer(() => record(core, { webhook, delivery, result, at, errorClass: answered.errorClass ?? '' }));
}

interface Attempt {
  readonly webhook: Webhook;
  readonly delivery: Taken;
  readonly pass: Pass;
}

interface Attempted {
  readonly webhook: Webhook;
  readonly delivery: Taken;
  readonly result: Result;
  readonly at: Date;
  readonly errorClass: string;
}

async function record(core: Core, { webhook, delivery, result, at, errorClass }: Attempted): Promise<void> {
  if (!(await recordAttempt(delivery, result, at))) return;
  if (result.status === 'succeeded') await noteSuccess(webhook);
  else if (result.responseStatus === GONE) await switchOff(core, webhook, 'gone', at);
  else await noteFailure(core, webhook, { at, errorClass, retryAt: result.nextAttemptAt });
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

/** Makes the headers. Receivers compare the instant of a signature with their own clocks, so it is the real time even where tests skip time. */
function headersOf(core: Core, webhook: Webhook, { _id, eventId, eventName, attempts, body }: Taken): Readonly<Record<string, string>> {
  const now = new Date();
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Lettermill-Webhooks/1.0',
    'X-Service-Event': eventName,
    'X-Service-Delivery': _id,
    'X-Service-Attempt': String(attempts + 1),
    ...signatureHeaders({ eventId, body, at: Math.floor(now.getTime() / 1_000), secrets: signingSecrets(core, webhook, now) }),
  };
}
