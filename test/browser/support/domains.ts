import { publish, say } from '../../support/calls/domains';
import type { WireDomain } from '../../support/calls/domains';
import type { World } from './world';

/** Adds a verified domain whose mail receivers reject by its DMARC policy, which blocks launches. */
export async function addRefusedDomain({ platform, dns }: World, name: string): Promise<void> {
  const { body } = await platform.post('/v1/domains', { domain: name });
  const domain = body.data as WireDomain;
  publish(dns, domain, 'ownership', 'dkim');
  await platform.post(`/v1/domains/${domain.domainId}/verify`, {});
  say(dns, domain, 'dkim');
  say(dns, domain, 'dmarc', { TXT: ['v=DMARC1; p=reject'] });
}
