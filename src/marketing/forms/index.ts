export { HONEYPOT, RESERVED_KEYS, challengeFor, submitForm } from './submit';
export {
  countConfirmed,
  figuresOf,
  createForm,
  deleteForm,
  formOfPage,
  formSending,
  formWithTopic,
  getForm,
  listForms,
  patchForm,
} from './service';
export { FIELD_TYPES, REFUSALS } from './model';
export type { Form, FormContent } from './model';
export type { BrandedForm } from './service';
