import { getPublicSuffix } from 'tldts';
import { isKnownDomain } from '../../rules/verify/known-domains';

/** Returns whether a domain belongs to everybody: names are registered below it (the Public Suffix List), or a provider gives mailboxes in it to anybody. */
export const isPublicDomain = (domain: string): boolean =>
  isKnownDomain(domain) || getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
