import type { z } from 'zod';
import type { ConsentEntry } from '../../src/records/consent';
import type { ConsentEntry as WireEntry } from './schemas';

export const toConsentEntry = ({ _id, createdAt, ...entry }: ConsentEntry): z.input<typeof WireEntry> => {
  const { kind, topicId, source, ip, userAgent, formId, emailId, text, textHash } = entry;
  const { sequence, nonce, detailsHash, previousHash, hash } = entry;
  return {
    ...{ entryId: _id, at: createdAt.toISOString(), kind, topicId, source, ip, userAgent, formId, emailId, text, textHash },
    proof: { sequence, nonce, detailsHash, previousHash, hash },
  };
};
