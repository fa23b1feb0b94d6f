import type { TestApp } from '../../../support/platform/app';

/** What became of one recipient. */
export interface Result {
  readonly id: string;
  readonly to: string;
  readonly status?: string;
  readonly skipped?: string;
}

export interface Answer {
  readonly results: readonly Result[];
  readonly cc?: readonly Result[];
  readonly bcc?: readonly Result[];
}

export const MESSAGE = {
  from: 'team@hello.test',
  subject: 'For {{firstName | "you"}}',
  html: '<p>Dear {{firstName | "you"}} <a href="https://example.com/">x</a></p>',
};

/** Calls of the first project that send copies. */
export function copyCalls(app: () => TestApp) {
  const post = (path: string, body: object) => app().api().post(path).send(body);
  return {
    post,
    send: async (message: object): Promise<Answer> => (await post('/v1/send', { ...MESSAGE, ...message }).expect(200)).body.data as Answer,
  };
}

/** The outcomes of all, in the order of `to`, `cc` and `bcc`. */
export const all = ({ results, cc = [], bcc = [] }: Answer): readonly Result[] => [...results, ...cc, ...bcc];

/** The addresses of a header field. */
export const addresses = (field: unknown): readonly string[] =>
  ((field as { value?: { address: string }[] } | undefined)?.value ?? []).map(({ address }) => address);
