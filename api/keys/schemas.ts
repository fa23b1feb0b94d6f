import { z } from 'zod';
import { KEY_KINDS, KEY_SCOPES } from '../../src/records/projects';
import { because, instant, optionalTimestamp, timestamp, together } from '../http/pieces';

const kind = z
  .enum(KEY_KINDS)
  .meta({ description: '`test` keys deliver nothing; `public` keys may post events from web pages, and nothing else' });
const scope = z.enum(KEY_SCOPES).meta({ description: 'What it may do: everything; send and read e-mails; read' });

export const CreateKey = z
  .strictObject({
    kind,
    scope: scope.optional(),
    expiresAt: instant
      .refine((date) => date.getTime() > Date.now(), because('invalid_date', 'Must be in the future'))
      .optional()
      .meta({ description: 'When it ends; without it the key has no end' }),
  })
  .refine(({ kind: wanted, scope: given }) => wanted !== 'public' || given === undefined, together('A public key has no scope', 'scope'));

export const Key = z
  .object({
    keyId: z.string().meta({ description: 'The id of the key' }),
    prefix: z.string().meta({ description: 'The beginning of the key, by which people recognise it' }),
    kind,
    scope: scope.nullable().meta({ description: 'What it may do; null of a public key' }),
    createdAt: timestamp,
    expiresAt: optionalTimestamp.meta({ description: 'When it ends; null where it does not' }),
    lastUsedAt: optionalTimestamp.meta({ description: 'When it was used last, to the minute; null where it was not within 400 days' }),
    revokedAt: optionalTimestamp.meta({ description: 'When it was revoked; null while it was not' }),
  })
  .meta({ id: 'Key' });

export const CreatedKey = Key.extend({ key: z.string().meta({ description: 'The key itself, shown this once' }) }).meta({
  id: 'CreatedKey',
});
