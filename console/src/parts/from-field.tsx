import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from './api.ts';
import type { Schemas } from './api.ts';
import { useCampaigns } from './campaigns.ts';
import { Suggested } from './suggested.tsx';

type Domain = Schemas['Domain'];

const MOST = 200;
/** Domains beyond these would not help to find the right one. */
const MOST_NAMED = 5;
const KEPT_MS = 60_000;

const useDomains = () => useQuery({ queryKey: ['domains', 'senders'], staleTime: KEPT_MS, queryFn: () => api.listDomains().toArray(MOST) });

/** Returns the domain of an address; empty as long as none is written. */
const domainOf = (address: string): string => /@([^@\s]+\.[^@\s.]+)$/.exec(address.trim())?.[1]?.toLowerCase() ?? '';

const isVerified = ({ verifiedForSending }: Domain): boolean => verifiedForSending;

function hintOf(domains: readonly Domain[]): string {
  const names = domains.filter(isVerified).map(({ domain }) => domain);
  if (names.length === 0) return 'No domain is verified yet';
  return `Verified: ${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}`;
}

/** Offers what was typed before the @ at each verified domain, and the addresses that campaigns are from. */
function useOffered(value: string, domains: readonly Domain[]): readonly string[] {
  const verified = domains.filter(isVerified).map(({ domain }) => domain);
  const used = (useCampaigns().data ?? []).map(({ fromEmail }) => fromEmail);
  const name = value.trim().split('@')[0] ?? '';
  const typed = name === '' ? [] : verified.map((domain) => `${name}@${domain}`);
  return [...new Set([...typed, ...used.filter((address) => verified.includes(domainOf(address)))])];
}

/** The sender of a message, as it is written. */
export interface Sender {
  readonly fromEmail: string;
  readonly fromName: string;
  readonly replyTo: string;
}

/** Returns the sender of the newest campaign from a verified domain; null if there is none, undefined until that is known. */
export function useLastSender(): Sender | null | undefined {
  const [domains, campaigns] = [useDomains(), useCampaigns()];
  if (!domains.isFetched || !campaigns.isFetched) return undefined;
  const verified = new Set(domains.data?.filter(isVerified).map(({ domain }) => domain));
  const last = campaigns.data?.find(({ fromEmail }) => verified.has(domainOf(fromEmail)));
  return last ? { fromEmail: last.fromEmail, fromName: last.fromName ?? '', replyTo: last.replyTo ?? '' } : null;
}

function Unverified({ address, domains }: { readonly address: string; readonly domains: readonly Domain[] }): ReactNode {
  const domain = domainOf(address);
  const known = domains.find((row) => row.domain === domain);
  if (domain === '' || known?.verifiedForSending) return null;
  return (
    <p className="notice">
      {domain} is not verified, so nothing can be sent from it.{' '}
      <Link to={known ? `/domains/${known.domainId}` : '/domains'}>{known ? 'See its DNS records' : 'Add it in Domains'}</Link>
    </p>
  );
}

interface FromProps {
  readonly value: string;
  readonly change: (value: string) => void;
}

/** Shows the address that mail is from. Offers verified domains, and says at once of another one that it is not. */
export function FromField({ value, change }: FromProps): ReactNode {
  const { data: domains } = useDomains();
  const names = useOffered(value, domains ?? []);
  return (
    <>
      <Suggested
        label="From address"
        type="email"
        required
        {...(domains && { hint: hintOf(domains) })}
        value={value}
        change={change}
        names={names}
      />
      <div role="status">{domains && <Unverified address={value} domains={domains} />}</div>
    </>
  );
}
