import type { Email } from '../../../src/records/emails/model';
import type { DnsServer } from '../servers/dns-server';
import type { Api, TestApp } from '../platform/app';
import { storeEmails } from '../data/email-rows';
import { stored } from '../data/stored';
import { campaignCalls } from './campaigns';
import { addDomain, publish } from './domains';
import type { WireDomain } from './domains';

/** A check of a campaign, as the API answers it. */
export interface WireCheck {
  readonly check: string;
  readonly level: string;
  readonly what: string;
  readonly how: string;
  readonly detail?: string;
  readonly languages?: readonly (string | null)[];
}

/** Path and code of each fault, and the check that its message begins with. */
export const checksIn = (body: unknown): (readonly [string, string, string | undefined])[] =>
  (body as { details: { path: string; code: string; message: string }[] }).details.map(
    ({ path, code, message }) => [path, code, message.split(':')[0]] as const,
  );

/** Calls of the checks before a launch, as the first project. */
export function preflightCalls(app: () => TestApp) {
  const { draft } = campaignCalls(app);
  const calls = {
    async checksOf(id: string, through: Api = app().api()): Promise<readonly WireCheck[]> {
      const { body } = await through.get(`/v1/campaigns/${id}/preflight`).expect(200);
      return body.data.checks as WireCheck[];
    },
    /** One check of a new draft with these members. */
    async checkOf(name: string, more: object = {}, through: Api = app().api()): Promise<WireCheck> {
      const { campaignId } = await draft(more);
      const [found, ...others] = (await calls.checksOf(campaignId, through)).filter(({ check }) => check === name);
      if (!found || others.length > 0) throw new Error(`Not one check: ${name}`);
      return found;
    },
    /** A verified domain with these records in addition to the ones that it needs. */
    async verified(dns: DnsServer, ...purposes: readonly string[]): Promise<WireDomain> {
      const domain = await addDomain(app().api());
      publish(dns, domain, 'ownership', 'dkim', ...purposes);
      await app().api().post(`/v1/domains/${domain.domainId}/verify`).expect(200);
      return domain;
    },
    /** Mail that was sent to the mailboxes of a host, and how much of it was reported as spam. */
    async sentTo(host: string, sent: number, complained: number): Promise<void> {
      const { projectId } = app().keys;
      const now = new Date();
      const row = (index: number): Partial<Email> => ({
        to: `reader${index}@${host}`,
        type: 'marketing',
        sentAt: now,
        deliveredAt: now,
        ...(index < complained ? { status: 'complained', complainedAt: now } : { status: 'delivered' }),
      });
      await storeEmails(projectId, ...Array.from({ length: sent }, (_, index) => row(index)));
      const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
      const _id = `${projectId}/${hour.toISOString()}/${host}`;
      await stored.deliveryCounts.make([{ _id, projectId, hour, sent, bounced: 0, complained }]);
    },
  };
  return calls;
}
