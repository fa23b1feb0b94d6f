import { compatRoutes } from '../../../api/compat';
import { segmentRoutes } from '../../../api/segments/routes';
import { aProject } from '../../support/platform/app';

const app = aProject();

const REFUSED: Readonly<Record<string, object>> = {
  Resend: { statusCode: 401, name: 'restricted_api_key' },
  Postmark: { ErrorCode: 10 },
};

test.each(['sending', 'read', 'full'] as const)('a key of scope %s opens what it opens in /v1, and nothing else', async (scope) => {
  const { body: made } = await app.api().post('/v1/keys').send({ kind: 'secret', scope }).expect(201);
  const key = String(made.data.key);
  for (const { method, path, access, tag, operationId } of compatRoutes) {
    const opens = scope === 'full' || (scope === 'sending' ? access === 'sending' : method === 'get');
    const api = app.api(key);
    const { body } = await api[method](path.replaceAll(/\{\w+\}/g, 'x')).set('X-Postmark-Server-Token', key);
    const isRefused = Object.entries(REFUSED[tag] ?? {}).every(([name, value]) => (body as Record<string, unknown>)[name] === value);
    expect({ operationId, isRefused }).toEqual({ operationId, isRefused: !opens });
  }
});

test('an operation has the time and the size of its counterpart', () => {
  const patch = compatRoutes.find(({ method, path }) => method === 'patch' && path === '/compat/resend/segments/{segmentId}');
  const counterpart = segmentRoutes.find(({ operationId }) => operationId === 'updateSegment');
  expect(patch?.limits).toEqual(counterpart?.limits);
  expect(patch?.limits?.answerMs).toBeGreaterThan(0);
});

test('strangers are refused everywhere', async () => {
  for (const { method, path } of compatRoutes) {
    const { status } = await app.api(null)[method](path.replaceAll(/\{\w+\}/g, 'x'));
    expect([path, status]).toEqual([path, 401]);
  }
});
