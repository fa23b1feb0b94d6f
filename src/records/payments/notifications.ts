import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { Core } from '../../platform/core';
import { AppError, invalid } from '../../platform/core';
import { readSubscription } from './report';
import type { ReadSubscription } from './report';
import { paymentSettings } from './provider';
import type { PaymentSettings } from './provider';
import { applyReport } from './subscriptions';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The envelope of every notification (the provider's reference, Webhook payload). */
const Envelope = z.object({ type: z.string(), timestamp: z.iso.datetime({ offset: true }).nullish(), data: z.unknown() });

const OF_SUBSCRIPTIONS = /^subscription\./;

/**
 * Takes a notification of the payment provider: applied once however often it comes, and never over a newer one (Standard Webhooks; docs/billing.md). What is
 * not about a subscription of this installation is acknowledged and has no effect. Throws `unauthorized` when it is unsigned, signed with another secret or
 * more than five minutes old, and `validation_error` when it cannot be understood.
 */
export async function takeNotification(core: Core, body: Buffer, headers: Headers): Promise<void> {
  const settings = paymentSettings(core.config);
  const signed = settings && verified(settings, body, headers);
  if (!signed) throw unsigned();
  const envelope = understood(() => Envelope.parse(JSON.parse(body.toString('utf8'))));
  if (!OF_SUBSCRIPTIONS.test(envelope.type)) return;
  const asOf = new Date(envelope.timestamp ?? signed.at);
  const read = understood(() => readSubscription(envelope.data, settings.products, { asOf, reportId: signed.id }));
  await applied(core, read, signed.id);
}

async function applied(core: Core, { subscriptionId, projectId, report }: ReadSubscription, notificationId: string): Promise<void> {
  if (report === null) {
    core.log.warn({ subscriptionId, notificationId }, 'A payment notification names an unknown product');
    return;
  }
  const outcome = await applyReport(core, { subscriptionId, projectId, report }, notificationId);
  core.log.info({ subscriptionId, notificationId, outcome }, 'Payment notification');
}

/** Returns the notification's id and time when its signature is good; null when it is not. */
function verified({ webhookSecret }: PaymentSettings, body: Buffer, headers: Headers): { readonly id: string; readonly at: Date } | null {
  const given = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name] ?? '')]),
  );
  try {
    new Webhook(webhookSecret).verify(body, given, { jsonParse: false });
  } catch {
    return null;
  }
  return { id: given['webhook-id'] ?? '', at: new Date(Number.parseInt(given['webhook-timestamp'] ?? '', 10) * 1_000) };
}

// RFC 9110, section 15.5.2: a 401 names a scheme.
const unsigned = (): AppError =>
  new AppError('unauthorized', 'The notification is not signed by the payment provider, or not within the last five minutes', [], {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('', 'invalid_json', 'The body is not JSON');
    const path = error instanceof z.ZodError ? (error.issues[0]?.path.join('.') ?? '') : '';
    throw invalid(path, 'invalid_type', 'The notification is not of the form that the payment provider documents');
  }
}
