import { z } from 'zod';
import { CONSENT_KINDS } from '../../src/records/consent';
import { count, optionalText, timestamp } from '../http/pieces';

const Proof = z
  .object({
    sequence: count.meta({ description: 'The number of the entry, from 1, for each person' }),
    nonce: optionalText.meta({ description: 'Random characters in `detailsHash`, so that it cannot be guessed; null once erased' }),
    detailsHash: z.string().meta({ description: 'SHA-256 of the nonce and the members of the entry' }),
    previousHash: optionalText.meta({ description: '`hash` of the previous entry of the person; null for the first' }),
    hash: z.string().meta({ description: 'SHA-256 of `previousHash`, sequence, time and both hashes' }),
  })
  .meta({ id: 'ConsentProof', description: 'The hash of the previous entry' });

export const ConsentEntry = z
  .object({
    entryId: z.string(),
    at: timestamp.meta({ description: 'When it happened' }),
    kind: z.enum(CONSENT_KINDS).nullable().meta({ description: 'The change; null once the person was erased' }),
    topicId: optionalText.meta({ description: 'The topic that it is about; null where it is about all marketing mail' }),
    source: optionalText.meta({ description: 'How it happened, e.g. `form`, `opt_in`, `api`, `link`, `one_click`, `import`' }),
    ip: optionalText.meta({ description: 'The IP address, stored as the setting `consent.ip` says' }),
    userAgent: optionalText.meta({ description: 'The browser' }),
    formId: optionalText.meta({ description: 'The form that the person used' }),
    emailId: optionalText.meta({ description: 'The message whose link the person used' }),
    text: optionalText.meta({ description: 'The exact text that the person was shown' }),
    textHash: optionalText.meta({ description: 'SHA-256 of the text; it stays after an erasure' }),
    proof: Proof,
  })
  .meta({
    id: 'ConsentEntry',
    description: 'One entry of the ledger of consent. Entries are never changed; erasure keeps time and hashes',
  });

export const ConsentVerification = z
  .object({
    intact: z.boolean().meta({ description: 'True if every entry is unchanged and none is missing' }),
    entries: count.meta({ description: 'How many entries were verified' }),
    brokenAt: optionalText.meta({ description: 'The first entry that was changed; `head` if the newest entries are missing' }),
  })
  .meta({ id: 'ConsentVerification', description: "The result of a check of a person's hash chain" });
