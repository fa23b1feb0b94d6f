import { trackedDomainOf } from '../../rules/domains/records';
import { DomainModel } from './model';

/** Whether links of a verified domain name this host, and its record leads here: what a proxy may get a certificate for. */
export async function isTrackingHost(host: string): Promise<boolean> {
  const domain = trackedDomainOf(host.toLowerCase());
  if (domain === null) return false;
  return (await DomainModel.exists({ domain, status: 'verified', 'records.tracking': 'verified' })) !== null;
}
