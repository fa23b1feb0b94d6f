import { createForm, deleteForm, figuresOf, getForm, listForms, patchForm } from '../../src/marketing/forms';
import { updated } from '../http/audit';
import { deleted } from '../http/answers';
import { endpoint, extensions, listEndpoint } from '../http/endpoint';
import { Deleted, IdParams } from '../http/pieces';
import { CreateForm, Form, FormWithFigures, UpdateForm } from './schemas';
import { contentOf, patchOf, toForm } from './view';

export const formExtensions = extensions('Forms', [
  listEndpoint('GET /v1/forms', {
    operationId: 'listForms',
    summary: 'List sign-up forms with their figures, newest first',
    response: FormWithFigures,
    list: 'cursor',
    handle: async ({ ctx, core, page }) => {
      const { rows, next } = await listForms(ctx, page);
      const ids = rows.map(({ _id }) => _id);
      const figures = await figuresOf(ctx.projectId, ids);
      return { rows: rows.map((form) => ({ ...toForm(core.config.PUBLIC_URL, form), figures: figures(form._id) })), next };
    },
  }),
  endpoint('POST /v1/forms', {
    operationId: 'createForm',
    summary: 'Create a sign-up form',
    description: 'Its page is at `url`; `snippet` is for a page of your own.',
    request: { body: CreateForm },
    status: 201,
    response: Form,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['form.create', data.formId],
    handle: async ({ ctx, core, body }) => toForm(core.config.PUBLIC_URL, await createForm(ctx, contentOf(body))),
  }),
  endpoint('GET /v1/forms/{id}', {
    operationId: 'getForm',
    summary: 'Get a sign-up form with its figures',
    request: { params: IdParams },
    response: FormWithFigures,
    handle: async ({ ctx, core, params }) => {
      const form = await getForm(ctx, params.id);
      const figures = await figuresOf(ctx.projectId, [form._id]);
      return { ...toForm(core.config.PUBLIC_URL, form), figures: figures(form._id) };
    },
  }),
  endpoint('PATCH /v1/forms/{id}', {
    operationId: 'updateForm',
    summary: 'Update a sign-up form, hold it or open it again',
    request: { params: IdParams, body: UpdateForm },
    response: Form,
    audit: ({ params, body }) => updated('form', params.id, body),
    handle: async ({ ctx, core, params, body }) => toForm(core.config.PUBLIC_URL, await patchForm(ctx, params.id, patchOf(body))),
  }),
  endpoint('DELETE /v1/forms/{id}', {
    operationId: 'deleteForm',
    summary: 'Delete a sign-up form',
    description: 'Sign-ups that wait for their confirmation can still be confirmed.',
    request: { params: IdParams },
    response: Deleted,
    audit: ({ params }) => ['form.delete', params.id],
    handle: ({ ctx, params }) => deleted(deleteForm(ctx, params.id)),
  }),
]);
