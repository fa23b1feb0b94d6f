export { HONEYPOT, RESERVED_KEYS } from './answers';
export { challengeFor } from './challenge';
export { countConfirmed, figuresOf } from './figures';
export { FIELD_TYPES, REFUSALS } from './model';
export type { Form, FormContent } from './model';
export type { BrandedForm } from './service';
export { createForm, deleteForm, formOfPage, formSending, formWithTopic, getForm, listForms, patchForm } from './service';
export { submitForm } from './submit';
