import type { Core } from '../context';
import { parseSmtpUrl } from '../mail/smtp-url';
import { DirectTransport } from './direct';
import { ExchangeBook } from './exchanges';
import { Lane } from './lane';
import type { OutcomeRules } from './outcome';
import { KeptConnection } from './transport';
import type { Transport } from './transport';

/** The lanes of a worker process, as many as SMTP_CONNECTIONS says; on the way that SMTP_URL says. Throws an Error when that is missing or bad. */
export function makeLanes(core: Core, mayWrite: () => boolean): readonly Lane[] {
  const { SMTP_URL, SMTP_CONNECTIONS, SMTP_RETRY_SECONDS, SMTP_ACCEPTED_IS_DELIVERED } = core.config;
  if (!SMTP_URL) throw new Error('SMTP_URL is required where mail is delivered');
  const direct = SMTP_URL === 'direct:';
  const rules: OutcomeRules = {
    route: direct ? 'direct' : 'smarthost',
    retrySeconds: SMTP_RETRY_SECONDS,
    acceptedIsDelivered: direct || SMTP_ACCEPTED_IS_DELIVERED,
  };
  const transport = direct ? directly(core, mayWrite) : overSmarthost(core, SMTP_URL, mayWrite);
  return Array.from({ length: SMTP_CONNECTIONS }, () => new Lane(core, transport(), rules));
}

function directly({ config, dns }: Core, mayWrite: () => boolean): () => Transport {
  const book = new ExchangeBook(dns, config.WEBHOOK_ALLOW_PRIVATE);
  const shared = new DirectTransport(book, { clientName: config.BOUNCE_DOMAIN, mayWrite, keep: config.SMTP_CONNECTIONS });
  return () => shared;
}

function overSmarthost({ config }: Core, url: string, mayWrite: () => boolean): () => Transport {
  const route = parseSmtpUrl(url);
  const reportDelivery = !config.SMTP_ACCEPTED_IS_DELIVERED;
  return () => new KeptConnection({ route, clientName: config.BOUNCE_DOMAIN, mayWrite, reportDelivery });
}
