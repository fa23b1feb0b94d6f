import type { Schemas } from '../../parts/api.ts';
import { orNull } from '../../parts/texts.ts';

type Form = Schemas['Form'];
export type Field = Schemas['FormField'];

/** A form as it is written: a text that may be absent is empty. */
export interface Written extends Pick<Form, 'name' | 'fields' | 'topics' | 'doubleOptIn' | 'confirm' | 'consentText' | 'proofOfWork'> {
  /** Empty for the confirmation of the platform. */
  readonly templateId: string;
  readonly redirectUrl: string;
  readonly privacyUrl: string;
}

export const NEW: Written = {
  name: '',
  fields: [],
  topics: [],
  doubleOptIn: true,
  confirm: 'button',
  consentText: '',
  proofOfWork: false,
  templateId: '',
  redirectUrl: '',
  privacyUrl: '',
};

export const NEW_FIELD: Field = { key: '', label: '', required: false, type: 'text' };

export const writtenOf = (form: Form): Written => {
  const { name, fields, topics, doubleOptIn, confirmation, confirm, redirectUrl, consentText, privacyUrl, proofOfWork } = form;
  return {
    name,
    fields,
    topics,
    doubleOptIn,
    confirm,
    consentText,
    proofOfWork,
    templateId: confirmation === 'default' ? '' : confirmation.templateId,
    redirectUrl: redirectUrl ?? '',
    privacyUrl: privacyUrl ?? '',
  };
};

export const bodyOf = ({ templateId, redirectUrl, privacyUrl, ...written }: Written): Schemas['CreateFormRequest'] => ({
  ...written,
  confirmation: templateId === '' ? 'default' : { templateId },
  redirectUrl: orNull(redirectUrl),
  privacyUrl: orNull(privacyUrl),
});
