import type { SecretPlace } from '../../platform/secrets';
import type { Domain } from './model';

/** Where a domain's private key is sealed for. */
export const placeOf = ({ _id, projectId }: Pick<Domain, '_id' | 'projectId'>): SecretPlace => ({
  collection: 'domains',
  id: _id,
  projectId,
});
