import path from 'node:path';
import { readIfThere, replaceFile } from '@lettermill/local';
import type { DataDir } from '@lettermill/local';
import { localCertificate } from '../../platform/secrets';

const HOST = 'localhost';

/** Returns the settings for the certificate of SMTP submission on this machine; created at the first start and kept, so that programs can trust it. */
export function keptCertificate({ root }: DataDir): { readonly SUBMISSION_TLS_CERT: string; readonly SUBMISSION_TLS_KEY: string } {
  const [cert, key] = [path.join(root, 'smtp-cert.pem'), path.join(root, 'smtp-key.pem')];
  if (readIfThere(cert) === null || readIfThere(key) === null) {
    const made = localCertificate(HOST);
    // A start that was killed in between makes both again: the certificate is written last.
    replaceFile(key, made.key);
    replaceFile(cert, made.cert);
  }
  return { SUBMISSION_TLS_CERT: cert, SUBMISSION_TLS_KEY: key };
}
