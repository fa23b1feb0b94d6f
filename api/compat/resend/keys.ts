import { invalid } from '../../../src/platform/core';
import type { ListedKey } from '../../../src/records/projects';
import { membersOf } from '../kit/members';
import { perform } from '../kit/operations';
import { absent, byId, resend, wholeList } from './declare';

const SCOPES: Readonly<Record<string, string>> = { full_access: 'full', sending_access: 'sending' };

const keyView = ({ keyId, prefix, createdAt, lastUsedAt }: ListedKey) => ({
  id: keyId,
  name: prefix,
  created_at: createdAt,
  last_used_at: lastUsedAt,
});

export const keyRoutes = [
  resend('POST /api-keys', 'createKey', async (request) => {
    const { permission = 'full_access', domain_id: domain } = membersOf(request.body);
    const scope = typeof permission === 'string' && Object.hasOwn(SCOPES, permission) ? SCOPES[permission] : undefined;
    if (scope === undefined) throw invalid('permission', 'invalid_enum_value', 'Must be one of full_access, sending_access');
    if (domain !== undefined && domain !== null)
      throw invalid('domain_id', 'invalid_combination', 'A key sends from every domain of its project here');
    const { keyId, key } = await perform<ListedKey & { key: string }>('createKey', request, { body: { kind: 'secret', scope } });
    return { id: keyId, token: key };
  }),
  resend('GET /api-keys', 'listKeys', (request) =>
    wholeList<ListedKey>(request, {
      operationId: 'listKeys',
      idOf: ({ keyId }) => keyId,
      show: keyView,
      isListed: ({ revokedAt }) => revokedAt === null,
    }),
  ),
  absent('PATCH /api-keys/{id}', 'API keys have no names here; their first characters identify them.'),
  resend('DELETE /api-keys/{id}', 'revokeKey', async (request) => {
    await perform('revokeKey', request, byId(request));
    return { object: 'api_key', id: request.params['id'], deleted: true };
  }),
];
