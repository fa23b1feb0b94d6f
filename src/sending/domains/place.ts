import type { SecretPlace } from '../../platform/secrets';
import type { Domain } from './model';

/** Returns the context to which a domain's private key is sealed. */
export const placeOf = ({ _id, projectId }: Pick<Domain, '_id' | 'projectId'>): SecretPlace => ({
  collection: 'domains',
  id: _id,
  projectId,
});
