import { findPerson, projectsOf } from '../../src/records/members';
import { endpoint, group } from '../http/endpoint';
import { Me } from './schemas';

export const ownExtensions = group('Members', [
  endpoint('GET /v1/me', {
    operationId: 'getMe',
    summary: 'Get the caller: the person or key, what it may do, and where',
    description: 'An extension of this implementation.',
    access: 'any',
    response: Me,
    handle: async ({ ctx: { projectId, personId }, scope }) => {
      const person = personId === undefined ? null : await findPerson(personId);
      return {
        ...{ grant: scope, projectId, personId: personId ?? null },
        ...{ address: person?.address ?? null, name: person?.name ?? null },
        projects: personId === undefined ? [] : [...(await projectsOf(personId))],
      };
    },
  }),
]);
