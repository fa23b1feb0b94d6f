import request from 'supertest';
import type { Test } from 'supertest';
import type { TestApp } from '../../../support/platform/app';

export interface WireForm {
  readonly formId: string;
  readonly url: string;
  readonly snippet: string;
  readonly state: string;
  readonly heldReason: string | null;
  readonly figures: { readonly submitted: number; readonly confirmed: number; readonly refused: Readonly<Record<string, number>> };
  readonly [member: string]: unknown;
}

let clients = 0;

/** Calls that tests of forms make, as the first project. Each call to a form comes from an address of its own, unless one is given. */
export function formCalls(app: () => TestApp) {
  const client = (): string => `198.51.${Math.floor(++clients / 250)}.${(clients % 250) + 1}`;
  const from = (test: Test, ip: string): Test => test.set('X-Forwarded-For', ip);
  return {
    async form(change: object = {}): Promise<WireForm> {
      const { body } = await app()
        .api()
        .post('/v1/forms')
        .send({ name: 'Newsletter', consentText: 'I want news.', ...change })
        .expect(201);
      return body.data as WireForm;
    },
    read: async (formId: string): Promise<WireForm> => (await app().api().get(`/v1/forms/${formId}`).expect(200)).body.data as WireForm,
    page: (formId: string): Test => request(app().url).get(`/f/${formId}`).set('Accept', 'text/html'),
    /** As a script of another site posts. */
    post: (formId: string, body: object, ip = client()): Test => from(request(app().url).post(`/f/${formId}`).send(body), ip),
    /** As a browser posts a form. */
    submit: (formId: string, fields: Readonly<Record<string, string>>, ip = client()): Test =>
      from(request(app().url).post(`/f/${formId}`).type('form').set('Accept', 'text/html').redirects(0).send(fields), ip),
  };
}
