import { getTranslations, putTranslations } from '../../src/sending/translations';
import type { StoredStrings } from '../../src/sending/translations';
import { endpoint, extensions } from '../http/endpoint';
import { PutTranslations, Translations } from './schemas';

const toTranslations = ({ strings, ...stored }: StoredStrings) => ({ translations: strings, ...stored });

export const translationExtensions = extensions('Extensions', [
  endpoint('GET /v1/translations', {
    operationId: 'getTranslations',
    summary: "Get the project's translations",
    response: Translations,
    handle: async ({ ctx }) => toTranslations(await getTranslations(ctx)),
  }),
  endpoint('PUT /v1/translations', {
    operationId: 'replaceTranslations',
    summary: "Replace the project's translations",
    description: 'Messages that were accepted before, and campaigns that were launched or scheduled before, keep the earlier texts.',
    request: { body: PutTranslations },
    response: Translations,
    errors: ['conflict'],
    audit: () => ['translations.update', null],
    handle: async ({ ctx, body }) => toTranslations(await putTranslations(ctx, body.translations, body.version)),
  }),
]);
