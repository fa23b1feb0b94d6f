import { authorityOnly, extensionsOf, hostsOf, makeCertificate } from '../../../src/platform/secrets/certificate';
import type { Certificate } from '../../../src/platform/secrets/certificate';

/** A self-signed certificate for localhost and 127.0.0.1, made here and now. */
export const selfSignedCertificate = (): Certificate =>
  makeCertificate('localhost', extensionsOf(authorityOnly, hostsOf(['localhost'], [[127, 0, 0, 1]])));

/** Somebody who signs certificates. */
export interface Authority {
  readonly cert: string;
  /** A certificate for a host name, or for a client. */
  issue(name: string): Certificate;
}

export function makeAuthority(name: string): Authority {
  const { cert, privateKey } = makeCertificate(name, extensionsOf(authorityOnly));
  return { cert, issue: (host) => makeCertificate(host, extensionsOf(hostsOf([host])), { name, key: privateKey }) };
}
