import type { z } from 'zod';
import { invalid, notFound } from '../../../src/platform/core';
import { resendOrigin } from '../../../src/rules/resend-names';
import type { Suppression as WireSuppression, SuppressionState as WireState } from '../../suppressions/schemas';
import type { Foreign } from '../kit/declare';
import { entriesOf, membersOf } from '../kit/members';
import { perform } from '../kit/operations';
import { pagedList, resend } from './declare';

type Suppression = z.output<typeof WireSuppression>;
type State = z.output<typeof WireState>;

const REASONS: Readonly<Record<string, string>> = { bounce: 'hard_bounce', complaint: 'complaint', manual: 'manual' };

const view = ({ suppressionId, email, reason, createdAt }: Suppression) => ({
  object: 'suppression',
  id: suppressionId,
  email,
  origin: resendOrigin(reason),
  source_id: null,
  created_at: createdAt,
});

async function find(request: Foreign, id: unknown): Promise<Suppression> {
  const { suppression } = await perform<State>('getSuppression', request, { params: { id } });
  if (!suppression) throw notFound('Suppression');
  return suppression;
}

const add = async (request: Foreign, email: unknown) => {
  const { suppressionId } = await perform<Suppression>('createSuppression', request, { body: { email } });
  return { object: 'suppression', id: suppressionId };
};

const remove = async (request: Foreign, id: unknown) => {
  const { suppressionId } = await find(request, id);
  await perform('deleteSuppression', request, { params: { id } });
  return { object: 'suppression', id: suppressionId, deleted: true };
};

/** Does the same with each entry of a list, in order. If one fails, those before it stay done. */
async function each<T>(list: readonly unknown[], work: (entry: unknown) => Promise<T>) {
  const data: T[] = [];
  for (const entry of list) data.push(await work(entry));
  return { data };
}

const MOST = 100;

function listIn(request: Foreign, ...names: readonly string[]): readonly unknown[] {
  const given = membersOf(request.body);
  const name = names.find((one) => given[one] !== undefined) ?? names[0] ?? '';
  const list = entriesOf(given[name], name);
  if (list.length > MOST) throw invalid(name, 'too_big', `At most ${MOST} in one request`);
  return list;
}

export const suppressionRoutes = [
  resend('POST /suppressions', 'createSuppression', (request) => add(request, membersOf(request.body)['email'])),
  resend('GET /suppressions', 'listSuppressions', (request) => {
    const { origin } = request.query;
    const reason = typeof origin === 'string' && Object.hasOwn(REASONS, origin) ? REASONS[origin] : origin;
    return pagedList<Suppression>(request, {
      operationId: 'listSuppressions',
      asked: { query: reason === undefined ? {} : { reason } },
      idOf: ({ suppressionId }) => suppressionId,
      show: view,
      positionOf: async (id) => {
        const { createdAt, suppressionId } = await find(request, id);
        return { at: new Date(createdAt), id: suppressionId };
      },
    });
  }),
  resend('GET /suppressions/{id}', 'getSuppression', async (request) => view(await find(request, request.params['id']))),
  resend('DELETE /suppressions/{id}', 'deleteSuppression', (request) => remove(request, request.params['id'])),
  resend('POST /suppressions/batch/add', 'createSuppression', (request) => each(listIn(request, 'emails'), (email) => add(request, email))),
  resend('POST /suppressions/batch/remove', 'deleteSuppression', (request) =>
    each(listIn(request, 'emails', 'ids'), (id) => remove(request, id)),
  ),
];
