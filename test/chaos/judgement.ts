import { EmailModel } from '../../src/records/emails/model';
import { eventually } from '../support/platform/platform';
import type { Platform } from '../support/platform/platform';
import type { SmtpFaultServer } from '../support/servers/smtp-fault-server';
import type { Figures } from './report';

/** Events and statistics follow within this time. */
const FOLLOW_MS = 60_000;

/** Returns the error for figures that are not as promised. */
export const broken = (figures: Figures): Error =>
  new Error(`A promise is broken:\n${figures.map(([name, value]) => `${name}: ${value}`).join('\n')}`);

/** Resolves once no message waits to be sent, or is being sent. */
export async function nothingWaits(withinMs: number): Promise<void> {
  const waiting = () => EmailModel.countDocuments({ status: { $in: ['queued', 'sending'] } });
  await eventually('nothing waits', async () => (await waiting()) === 0, withinMs);
}

/** Returns the addresses that the mail server has messages for, how many messages it got more than once, and how many of those with another Message-ID. */
export function arrivedAt({ messages }: SmtpFaultServer) {
  const ids = new Map<string, Set<string>>();
  for (const { to, headers } of messages) ids.set(to, (ids.get(to) ?? new Set()).add(headers['message-id'] ?? ''));
  const others = [...ids.values()].reduce((sum, { size }) => sum + size - 1, 0);
  return { addresses: new Set(ids.keys()), repeats: messages.length - ids.size, others };
}

/** Resolves to the number of deliveries that events and statistics know, once that is `all`, or after a minute. */
export async function deliveriesKnown(platform: Platform, all: number): Promise<readonly [events: number, statistics: number]> {
  const known = async (): Promise<readonly [number, number]> => [
    (await platform.get('/v1/events/stats?name=email.delivered')).body.data.total as number,
    (await platform.get('/v1/stats')).body.data.totals.delivered as number,
  ];
  await eventually('events and statistics follow', async () => Math.min(...(await known())) >= all, FOLLOW_MS).catch(() => undefined);
  return known();
}
