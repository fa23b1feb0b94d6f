import { hook } from '../../platform/hooks';

/** A sign-up of a form was confirmed. */
export const onFormConfirmed = hook<(projectId: string, formId: string) => Promise<void>>('a sign-up of a form is confirmed');
