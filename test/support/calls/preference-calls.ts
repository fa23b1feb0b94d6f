import request from 'supertest';
import type { Response } from 'supertest';
import type { TestApp } from '../platform/app';
import { publicUrls } from './public-urls';

/** A form of a page, as a browser would send it. */
export interface FormOfPage {
  /** The fields that are filled in: hidden ones, what is ticked, and the buttons by their `action`. */
  readonly fields: readonly (readonly [string, string])[];
  readonly text: string;
}

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

/** The forms of a page that post. */
export const formsOf = ({ text }: Pick<Response, 'text'>): readonly FormOfPage[] =>
  [...text.matchAll(/<form method="post"[^>]*>(.*?)<\/form>/gs)].map(([, inner = '']) => ({
    text: inner,
    fields: [...inner.matchAll(/<(?:input|button)\b[^>]*>/g)].flatMap(([tag]) => {
      const isChoice = /type="(?:checkbox|radio)"/.test(tag);
      if (isChoice && !/\schecked\b/.test(tag)) return [];
      return [[attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const];
    }),
  }));

/** Calls of the page where recipients choose what they get. */
export function preferenceCalls(app: () => TestApp) {
  const pathOf = (emailId: string): string => {
    const { core } = app();
    return publicUrls(core, emailId).preferencesUrl.slice(core.config.PUBLIC_URL.length);
  };
  const page = (emailId: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    request(app().url)
      .get(pathOf(emailId))
      .set({ Accept: 'text/html', ...headers })
      .then();
  const post = (emailId: string, fields: readonly (readonly [string, string])[]): Promise<Response> =>
    request(app().url)
      .post(pathOf(emailId))
      .set('Accept', 'text/html')
      .type('form')
      .send(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString())
      .then();
  /** The form with the boxes, as the page has it, with some boxes turned and a pause chosen. */
  const filled = (of: Response, { turn = [], pause }: { readonly turn?: readonly string[]; readonly pause?: string } = {}) => {
    const form = formsOf(of).find(({ text }) => text.includes('name="version"') && text.includes('type="'));
    const choices = formsOf(of).find(({ text }) => text.includes('<fieldset>')) ?? form;
    if (!choices) throw new Error('The page has no form to choose by');
    const ticked = new Set(choices.fields.flatMap(([name, value]) => (name === 'topic' ? [value] : [])));
    for (const topicId of turn) if (!ticked.delete(topicId)) ticked.add(topicId);
    const others = choices.fields.filter(([name]) => name !== 'topic' && !(name === 'pause' && pause !== undefined));
    return [
      ...others,
      ...[...ticked].map((topicId) => ['topic', topicId] as const),
      ...(pause === undefined ? [] : [['pause', pause] as const]),
    ];
  };
  return { pathOf, page, post, filled };
}
