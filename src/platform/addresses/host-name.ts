import { parsedUrl } from '../../rules/parsed-url';

/** Returns the name or address in a `Host` header, or in the host of a URL: in small letters, without port and final dot. Null where there is none. */
export function hostNameOf(host: string | undefined): string | null {
  return parsedUrl(`http://${host ?? ''}`)?.hostname.replace(/\.$/, '') ?? null;
}

const LOOPBACK: readonly (string | null)[] = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether a `Host` header names this machine itself, or the host of `publicUrl`. The name of a foreign page does not, even when it leads here. */
export function isOwnHost(host: string | undefined, publicUrl = 'http://localhost'): boolean {
  return [...LOOPBACK, hostNameOf(new URL(publicUrl).host)].includes(hostNameOf(host));
}
