export { HONEYPOT, RESERVED_KEYS } from './answers';
export { challengeFor, submitForm } from './submit';
export { countConfirmed, figuresOf } from './figures';
export { FIELD_TYPES, REFUSALS } from './model';
export type { Form, FormContent } from './model';
export type { BrandedForm } from './service';
export { createForm, deleteForm, formOfPage, formSending, formWithTopic, getForm, listForms, patchForm } from './service';
