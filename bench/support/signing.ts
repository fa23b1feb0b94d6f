import mongoose from 'mongoose';

const SIGNED = 'hello.test';
const UNSIGNED = 'nobody.test';

/** What a worker is told beside the rest, so that it does not take the domain for missing and make it anew. */
export const NO_DEVELOPMENT_DOMAINS = { DEV_VERIFIED_DOMAINS: '' } as const;

/** Gives the From domain's key to another name for a while: what is accepted already is then sent without a signature. */
export async function setSigned(signed: boolean): Promise<void> {
  const [from, to] = signed ? [UNSIGNED, SIGNED] : [SIGNED, UNSIGNED];
  await mongoose.connection.collection('domains').updateMany({ domain: from }, { $set: { domain: to } });
}
