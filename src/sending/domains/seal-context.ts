import type { SealContext } from '../../platform/secrets';
import type { Domain } from './model';

/** Returns the context to which a domain's private key is sealed. */
export const sealContextOf = ({ _id, projectId }: Pick<Domain, '_id' | 'projectId'>): SealContext => ({
  collection: 'domains',
  id: _id,
  projectId,
});
