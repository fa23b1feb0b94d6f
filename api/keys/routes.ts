import type { Context, Position } from '../../src/platform/core';
import { AppError, limitOf } from '../../src/platform/core';
import { positioned } from '../../src/platform/mongo';
import { KEY_KINDS, MOST_KEYS_AN_HOUR, createKey, listKeys, listedKey, revokeKeyOf, KEY_SCOPES } from '../../src/records/projects';
import type { Grant, KeyKind, KeyScope, ListedKey } from '../../src/records/projects';
import { endpoint, extensions, listEndpoint } from '../http/endpoint';
import { scopesForKeys } from '../http/scopes';
import { IdParams, because, instant, optionalTimestamp, timestamp, together } from '../http/pieces';
import { z } from 'zod';

/** Returns the kinds of key that the caller may revoke: a test key revokes test keys only. */
const kindsOf = ({ testMode }: Context): readonly KeyKind[] => (testMode ? ['test'] : KEY_KINDS);

/** Returns the end of a new key: as it is wanted, and no later than the maker's. */
const endOf = ({ keyEnd }: Context, wanted: Date | undefined): Date | undefined =>
  keyEnd && (!wanted || wanted > keyEnd) ? keyEnd : wanted;

/** Limit for the keys of a kind that a marketer, analyst or approver has, and creates within an hour: no such person uses up the keys of the project. */
const MOST_OF_PERSON = 10;

/** Throws `forbidden` for a key that may do more than the role of its maker. */
function requireWithinRole(grant: Grant | null, kind: KeyKind, scope: KeyScope = 'full'): void {
  const scopes = scopesForKeys(grant);
  // A public key sends events, as the scope for sending does.
  const needed = kind === 'public' ? 'sending' : scope;
  if (scopes === null || scopes.includes(needed)) return;
  const may = scopes.map((each) => `\`${each}\``).join(' or ');
  const kindFault = kind === 'public' ? ', and no public keys' : '';
  throw new AppError('forbidden', `Your role in this project is ${grant}; it creates keys with the scope ${may}${kindFault}`);
}

/** Returns the rest of a list; that the key which was the last of a page is dropped changes nothing. */
function keysAfter(keys: readonly ListedKey[], after: Position | null): readonly ListedKey[] {
  if (after === null) return keys;
  const index = keys.findIndex(({ keyId }) => keyId === after.id);
  return keys.slice((index >= 0 ? index : keys.findLastIndex(({ createdAt }) => createdAt < after.at)) + 1);
}

const kind = z
  .enum(KEY_KINDS)
  .meta({ description: '`test` keys deliver nothing; `public` keys can only record events, also from web pages' });

const scope = z.enum(KEY_SCOPES).meta({ description: 'The permissions: full access; send and read e-mails; read only' });

const CreateKey = z
  .strictObject({
    kind,
    scope: scope.optional(),
    expiresAt: instant
      .refine((date) => date.getTime() > Date.now(), because('invalid_date', 'Must be in the future'))
      .optional()
      .meta({ description: 'When it expires; omit it for a key that does not expire' }),
  })
  .refine(({ kind: wanted, scope: given }) => wanted !== 'public' || given === undefined, together('A public key has no scope', 'scope'));

const Key = z
  .object({
    keyId: z.string().meta({ description: 'The id of the key' }),
    prefix: z.string().meta({ description: 'The first characters of the key, to identify it' }),
    kind,
    scope: scope.nullable().meta({ description: 'The permissions; null for a public key' }),
    createdBy: z.string().nullable().meta({
      description: 'The creator, as the audit names callers: `person <id>`, `key <beginning>` or `console <session>`; null for an operator',
    }),
    createdAt: timestamp,
    expiresAt: optionalTimestamp.meta({ description: 'When it expires; null if it does not' }),
    lastUsedAt: optionalTimestamp.meta({ description: 'When it was last used, to the minute; null if not within 400 days' }),
    revokedAt: optionalTimestamp.meta({ description: 'When it was revoked; null if it is not' }),
  })
  .meta({ id: 'Key' });

const CreatedKey = Key.extend({ key: z.string().meta({ description: 'The key itself, shown this once' }) }).meta({
  id: 'CreatedKey',
});

export const keyExtensions = extensions('Extensions', [
  listEndpoint('GET /v1/keys', {
    operationId: 'listKeys',
    summary: 'List the keys of the project, oldest first',
    description: 'Keys are shown by their first characters; only a hash is stored.',
    response: Key,
    list: 'whole',
    handle: async ({ ctx, page }) => {
      const keys = await listKeys(ctx.projectId);
      return positioned(keysAfter(keys, page.after), ({ keyId, createdAt }) => ({ at: createdAt, id: keyId }));
    },
  }),
  endpoint('POST /v1/keys', {
    operationId: 'createKey',
    summary: 'Create a key',
    description:
      'The key itself is returned only in this response. A test key cannot create keys, and a key that expires cannot create one that expires later. ' +
      'A marketer creates public keys and keys with the scope `sending` or `read`, an analyst or approver those with the scope `read`; ' +
      `each of them has up to ${MOST_OF_PERSON} keys of a kind, and creates as many per hour. ` +
      `You can create up to ${MOST_KEYS_AN_HOUR} keys of a kind per hour, including revoked ones; the next is 429 \`rate_limited\`. ` +
      'The newest 100 revoked or expired keys stay in the list.',
    request: { body: CreateKey },
    status: 201,
    response: CreatedKey,
    errors: ['limit_exceeded', 'invalid_state', 'forbidden'],
    audit: ({ data }) => ['key.create', data.prefix],
    handle: async ({ ctx, by, scope: grant, body: { kind, scope, expiresAt } }) => {
      requireWithinRole(grant, kind, scope);
      if (ctx.testMode) throw new AppError('forbidden', 'A test key cannot create keys');
      const access = { scope, expiresAt: endOf(ctx, expiresAt) };
      const { key, prefix } = await createKey(ctx.projectId, kind, limitOf(ctx.core.config, ctx.project, 'keys'), access, {
        mostAnHour: MOST_KEYS_AN_HOUR,
        ...(by !== null && { maker: { createdBy: by, origin: ctx.origin ?? by } }),
        ...(scopesForKeys(grant) !== null && { mostOfMaker: MOST_OF_PERSON }),
      });
      return { ...(await listedKey(ctx.projectId, prefix)), key };
    },
  }),
  endpoint('DELETE /v1/keys/{id}', {
    operationId: 'revokeKey',
    summary: 'Revoke a key',
    description:
      'The key is refused from now on, and its console sessions end. Marketers, analysts and approvers revoke only the keys that they created.',
    request: { params: IdParams },
    response: Key,
    errors: ['forbidden'],
    audit: ({ data }) => ['key.revoke', data.prefix],
    handle: async ({ ctx, scope, params }) =>
      revokeKeyOf(ctx.projectId, params.id, kindsOf(ctx), scopesForKeys(scope) === null ? undefined : ctx.origin),
  }),
]);
