import type { z } from 'zod';
import { HONEYPOT } from '../../src/marketing/forms';
import type { Form, FormContent } from '../../src/marketing/forms';
import { escapeMarkup } from '../../src/message/template';
import type { CreateForm, Form as WireForm, UpdateForm } from './schemas';

type Given<T> = { readonly [K in keyof T]: T[K] };

const templateOf = (confirmation: 'default' | { readonly templateId: string }): string | null =>
  confirmation === 'default' ? null : confirmation.templateId;

export const contentOf = ({ confirmation, ...content }: Given<z.output<typeof CreateForm>>): FormContent => ({
  ...content,
  templateId: templateOf(confirmation),
});

export const patchOf = ({ confirmation, ...patch }: Given<z.output<typeof UpdateForm>>) => ({
  ...patch,
  ...(confirmation !== undefined && { templateId: templateOf(confirmation) }),
});

const urlOf = (publicUrl: string, { _id }: Pick<Form, '_id'>): string => `${publicUrl}/f/${_id}`;

const INPUTS = { text: 'text', number: 'number', boolean: 'checkbox', date: 'date' } as const;

const inputOf = ({ key, label, required, type }: Form['fields'][number]): string =>
  `  <label>${escapeMarkup(label)} <input type="${INPUTS[type]}" name="${escapeMarkup(key)}"${required ? ' required' : ''}></label>`;

/** Returns the HTML of a form for its owner's own page. Such a page cannot solve a proof of work, so it links to the page of the form. */
function snippetOf(publicUrl: string, form: Form): string {
  const url = escapeMarkup(urlOf(publicUrl, form));
  if (form.proofOfWork) return `<a href="${url}">${escapeMarkup(form.name)}</a>`;
  const privacy = form.privacyUrl === null ? [] : [`  <p><a href="${escapeMarkup(form.privacyUrl)}">Privacy policy</a></p>`];
  return [
    `<form action="${url}" method="post" accept-charset="utf-8">`,
    '  <label>Email address <input type="email" name="email" required></label>',
    ...form.fields.map(inputOf),
    `  <div hidden aria-hidden="true"><input type="text" name="${HONEYPOT}" tabindex="-1" autocomplete="off"></div>`,
    `  <p>${escapeMarkup(form.consentText)}</p>`,
    ...privacy,
    '  <button type="submit">Sign up</button>',
    '</form>',
  ].join('\n');
}

export const toForm = (publicUrl: string, form: Form): z.input<typeof WireForm> => {
  const { _id, name, topics, doubleOptIn, templateId, confirm, redirectUrl, consentText, privacyUrl, proofOfWork } = form;
  const { state, heldReason, heldAt, createdAt, updatedAt } = form;
  return {
    formId: _id,
    name,
    fields: form.fields.map((field) => ({ ...field })),
    topics: [...topics],
    doubleOptIn,
    confirm,
    redirectUrl,
    confirmation: templateId === null ? 'default' : { templateId },
    consentText,
    privacyUrl,
    proofOfWork,
    state,
    heldReason,
    heldAt,
    createdAt,
    updatedAt,
    url: urlOf(publicUrl, form),
    snippet: snippetOf(publicUrl, form),
  };
};
