import { DomainModel } from '../../../src/sending/domains/model';
import type { Domain } from '../../../src/sending/domains/model';
import { dkimSignatureOf } from './dkim-signature';

/** Checks a mail by RFC 6376 with the key that its domain publishes, and nothing of the signer's. */
export async function dkimVerifies(raw: Buffer): Promise<boolean> {
  const { domain, selector, holdsUnder } = dkimSignatureOf(raw);
  const found = await DomainModel.findOne({ domain, selector }).lean<Pick<Domain, 'dkimPublicKey'>>();
  return holdsUnder(found?.dkimPublicKey ?? '');
}
