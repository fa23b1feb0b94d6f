import type { KeyScope } from '../../src/records/projects';
import type { Endpoint } from './endpoint';

/** Returns the scopes of secret and test keys that open an operation. */
export const scopesOf = ({ method, access }: Pick<Endpoint, 'method' | 'access'>): readonly KeyScope[] => [
  'full',
  ...(access === 'sending' || access === 'any' ? (['sending'] as const) : []),
  ...(method === 'get' || access === 'any' ? (['read'] as const) : []),
];

/** Returns whether there is a scope that does not open it. */
export const refusesScopes = ({ method, access }: Pick<Endpoint, 'method' | 'access'>): boolean =>
  access !== 'any' && !(access === 'sending' && method === 'get');
