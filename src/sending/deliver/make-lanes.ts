import type { Core } from '../../platform/core';
import { StreamRoom, parseSmtpUrl } from '@lettermill/smtp';
import { Destinations } from './destinations';
import { DirectTransport } from './direct';
import { ExchangeBook } from './exchanges';
import type { OutcomeRules } from './outcome';
import { SmarthostGate } from './smarthost';
import { KeptConnection, Lane } from './transport';
import type { Gate, Transport } from './transport';

export interface Lanes {
  readonly lanes: readonly Lane[];
  readonly gate: Gate;
}

interface Way {
  readonly transport: () => Transport;
  readonly gate: Gate;
}

/**
 * Creates a worker's SMTP_CONNECTIONS lanes, and the gate that shares them, for the route in SMTP_URL. Throws an Error when that is missing
 * or bad.
 */
export function makeLanes(core: Core, mayWrite: () => boolean): Lanes {
  const { SMTP_URL, SMTP_CONNECTIONS, SMTP_RETRY_SECONDS, SMTP_ACCEPTED_IS_DELIVERED } = core.config;
  if (!SMTP_URL) throw new Error('SMTP_URL is required where mail is delivered');
  const direct = SMTP_URL === 'direct:';
  const rules: OutcomeRules = {
    route: direct ? 'direct' : 'smarthost',
    retrySeconds: SMTP_RETRY_SECONDS,
    acceptedIsDelivered: direct || SMTP_ACCEPTED_IS_DELIVERED,
  };
  const { transport, gate } = direct ? directly(core, mayWrite) : overSmarthost(core, SMTP_URL, mayWrite);
  return { lanes: Array.from({ length: SMTP_CONNECTIONS }, () => new Lane(core, transport(), rules)), gate };
}

function directly({ config, dns, log }: Core, mayWrite: () => boolean): Way {
  const { BOUNCE_DOMAIN: clientName, SMTP_CONNECTIONS: keep } = config;
  const book = new ExchangeBook(dns, config.WEBHOOK_ALLOW_PRIVATE);
  const destinations = new Destinations(book, keep, log);
  const shared = new DirectTransport(book, { clientName, mayWrite, keep, destinations });
  return { transport: () => shared, gate: destinations };
}

function overSmarthost({ config, log }: Core, url: string, mayWrite: () => boolean): Way {
  const route = parseSmtpUrl(url);
  const reportDelivery = !config.SMTP_ACCEPTED_IS_DELIVERED;
  const gate = new SmarthostGate(config.SMTP_CONNECTIONS, log);
  // One for all connections stays in the processor's cache.
  const room = new StreamRoom();
  const connection = (): KeptConnection =>
    new KeptConnection({ route, clientName: config.BOUNCE_DOMAIN, mayWrite, reportDelivery }, undefined, room);
  return { transport: () => gate.watched(connection()), gate };
}
