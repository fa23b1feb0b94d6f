import mongoose from 'mongoose';

const SIGNED = 'hello.test';
const UNSIGNED = 'unsigned.test';

/** Environment of workers, so that they do not make the renamed domain anew. */
export const NO_DEVELOPMENT_DOMAINS = { DEV_VERIFIED_DOMAINS: '' } as const;

/** Renames the From domain's row for a while, so that accepted messages are sent without a signature. */
export async function setSigned(signed: boolean): Promise<void> {
  const [from, to] = signed ? [UNSIGNED, SIGNED] : [SIGNED, UNSIGNED];
  await mongoose.connection.collection('domains').updateMany({ domain: from }, { $set: { domain: to } });
}
