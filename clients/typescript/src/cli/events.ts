import type { Lettermill } from '../operations.ts';
import { pause } from '../pause.ts';
import type { components } from '../schema.ts';
import { hmacKey } from '../hmac.ts';
import { commonArguments } from './arguments.ts';
import { clientFor } from './client.ts';
import { UsageError } from './failure.ts';
import { safe } from './print.ts';
import type { Terminal } from './terminal.ts';

type Event = components['schemas']['Event'];

const POLL_MS = 1_000;
/** Events may be listed some seconds after their time of receipt. */
const OVERLAP_MS = 30_000;

/** Yields events as they are received, oldest first, until the signal; each once. */
async function* newEvents(client: Lettermill, { signal, error }: Terminal, name?: string): AsyncGenerator<Event, void, undefined> {
  let seen = new Set<string>();
  let first = true;
  while (!signal.aborted) {
    const from = new Date(Date.now() - OVERLAP_MS).toISOString();
    const found = await client.listEvents({ from, limit: 100, ...(name !== undefined && { name }) }, { signal }).toArray();
    const fresh = found.filter(({ eventId }) => !seen.has(eventId)).reverse();
    seen = new Set(found.map(({ eventId }) => eventId));
    if (first) error('Waiting for events. Press Ctrl-C to stop.\n');
    else yield* fresh;
    first = false;
    await pause(POLL_MS, signal);
  }
}

/** Runs `events tail`: prints events as they are received, until it is stopped. */
export async function tail(args: readonly string[], terminal: Terminal): Promise<void> {
  const { json, own, profile } = commonArguments(args, ['name']);
  const client = await clientFor(profile, terminal);
  for await (const event of newEvents(client, terminal, own['name'])) {
    const about = event.emailId ?? event.contactId ?? '';
    const line = [event.createdAt, event.name, about, JSON.stringify(event.data ?? {})].join('  ');
    terminal.out(`${json ? JSON.stringify(event) : safe(line)}\n`);
  }
}

/** Resolves to the body that a webhook endpoint would get for an event, with the contact and the e-mail as they are now. */
async function payloadOf(client: Lettermill, event: Event, signal: AbortSignal): Promise<string> {
  const gone = (): null => null;
  const contact = event.contactId === null ? null : await client.getContact(event.contactId, { signal }).catch(gone);
  const email = event.emailId === null ? null : await client.getEmail(event.emailId, { signal }).catch(gone);
  const { eventId: id, name: type, createdAt, projectId } = event;
  const data = { ...event.data, ...(contact && { contact }), ...(email && { email }) };
  return JSON.stringify({ id, type, createdAt, projectId, testMode: email?.testMode ?? false, data });
}

async function signed(id: string, body: string, secret: string): Promise<Record<string, string>> {
  const at = Math.floor(Date.now() / 1_000);
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(secret, 'sign'), new TextEncoder().encode(`${at}.${body}`));
  const v1 = Buffer.from(signature).toString('hex');
  return {
    'Content-Type': 'application/json',
    'X-Service-Signature': `t=${at},v1=${v1}`,
    'webhook-id': id,
    'webhook-timestamp': String(at),
  };
}

function forwardTo(url: string | undefined): string {
  if (url === undefined) throw new UsageError('webhooks listen needs --forward URL');
  try {
    return new URL(url).href;
  } catch (cause) {
    throw new UsageError('--forward is not a URL', { cause });
  }
}

/** Runs `webhooks listen --forward URL`: posts each new event to a server of yours, signed as a webhook is, until it is stopped. */
export async function listen(args: readonly string[], terminal: Terminal): Promise<void> {
  const { own, profile } = commonArguments(args, ['forward', 'secret', 'name']);
  const url = forwardTo(own['forward']);
  const client = await clientFor(profile, terminal);
  const secret = own['secret'] ?? `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64')}`;
  terminal.error(`Forwarding events to ${url}. The signing secret is ${secret}\n`);
  for await (const event of newEvents(client, terminal, own['name'])) {
    const body = await payloadOf(client, event, terminal.signal);
    const headers = await signed(event.eventId, body, secret);
    const outcome = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(30_000)]),
    })
      .then(({ status }) => String(status))
      .catch(() => 'no answer');
    terminal.out(`${safe(`${event.createdAt}  ${event.name}  ${event.eventId}  ${outcome}`)}\n`);
  }
}
