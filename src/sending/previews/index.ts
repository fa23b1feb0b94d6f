import { sendFailed } from '../../platform/core';
import type { Context } from '../../platform/core';
import { getContact } from '../../audience/contacts';
import { awaitLargeWork } from '../../platform/limits';
import { TemplateRenderError } from '../../message/template';
import type { CompiledContent, ContactFields, Rendered, Values } from '../../message/template';
import { SPECIMEN, acceptTrials } from '../accept';
import type { TrialsSent } from '../accept';
import { checkSyntax, checkAllSyntax, getTemplate } from '../templates';
import type { TemplateType } from '../templates';
import { stringsOf } from '../translations';
import { footerBrandOf } from '../../rules/brand';
import { stringsIn } from '../../rules/strings';
import type { Translations } from '../../rules/translations';

/** The content to render, and its recipient. */
interface Preview {
  readonly subject: string;
  readonly body: string;
  readonly type: TemplateType;
  /** Id or address of the contact that it is rendered for; null for none. */
  readonly contact: string | null;
  readonly variables: Values;
  /** The language that the content is a variant for; null for the default. */
  readonly language: string | null;
}

/** A name that a template reads, and whether this reader has a value for it. */
interface ReadName {
  readonly name: string;
  readonly found: boolean;
}

interface Previewed extends Rendered {
  readonly placeholders: readonly ReadName[];
}

const NO_CONTACT: ContactFields = { contactId: null, email: '', firstName: null, lastName: null, locale: null, data: null };

const fieldsOf = async (ctx: Context, contact: string): Promise<ContactFields> => {
  const { _id: contactId, email, firstName, lastName, locale, data } = await getContact(ctx, contact);
  return { contactId, email, firstName, lastName, locale, data };
};

/** Renders what is written, as a message of it would read; nothing is sent or stored. Throws 422 `invalid_template`, `not_found` and `send_failed`. */
export async function previewTemplate(ctx: Context, { subject, body, type, contact, variables, language }: Preview): Promise<Previewed> {
  const reader = contact === null ? NO_CONTACT : await fieldsOf(ctx, contact);
  const fields = language === null ? reader : { ...reader, locale: reader.locale ?? language };
  await awaitLargeWork(ctx, body.length);
  const strings = stringsIn(await stringsOf(ctx.project), [subject, body]);
  const content = checkSyntax({ subject, body, brand: footerBrandOf(ctx.project.brand), language, strings });
  const values = content.valuesFor(variables, fields);
  return { ...rendered(content, values, type), placeholders: namesIn(content, values) };
}

function rendered(content: CompiledContent, values: Values, type: TemplateType): Rendered {
  try {
    return content.render(values, SPECIMEN, { trackLink: null, pixelUrl: null, unsubscribeFooter: type === 'marketing' });
  } catch (error) {
    if (!(error instanceof TemplateRenderError)) throw error;
    throw sendFailed('template_render_failed', error.message);
  }
}

const isThere = (values: unknown, name: string): boolean =>
  typeof values === 'object' && values !== null && Object.hasOwn(values, name) && (values as Values)[name] !== '';

/** Returns the names of custom fields one by one, as far as they are named. */
function namesIn({ placeholders, dataKeys }: CompiledContent, values: Values): readonly ReadName[] {
  return placeholders.flatMap((name) =>
    name === 'data' && dataKeys
      ? [...dataKeys].map((key) => ({ name: `data.${key}`, found: isThere(values['data'], key) }))
      : [{ name, found: isThere(values, name) }],
  );
}

interface TestSend {
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly language?: string | undefined;
}

/**
 * Sends the current content of a template to one address, its subject prefixed with `[Test] `. Throws `not_found`, and what `acceptTrials`
 * throws.
 */
export async function testSendTemplate(ctx: Context, id: string, { to, variables, language }: TestSend): Promise<TrialsSent> {
  const { variants } = await getTemplate(ctx, id);
  const trial = { subject: null, html: null, text: null, templateId: id, variables, from: null, fromName: null, replyTo: null, type: null };
  return acceptTrials(ctx, to, trial, { languages: Object.keys(variants ?? {}), language });
}

/** A content that is tried out before it is stored. */
interface ContentTest extends TestSend {
  readonly subject: string;
  /** HTML. */
  readonly body: string;
  readonly previewText: string | null;
  readonly fromEmail: string;
  readonly fromName: string | null;
  readonly replyTo: string | null;
  readonly type: TemplateType;
  readonly variants: Translations | null;
}

/** Sends a content to one address, its subject prefixed with `[Test] `. Throws 422 `invalid_template`, and what `acceptTrials` throws. */
export function testSendContent(ctx: Context, { to, language, body, fromEmail, ...content }: ContentTest): Promise<TrialsSent> {
  checkAllSyntax({ ...content, body });
  const trial = { ...content, html: body, text: null, templateId: null, from: fromEmail };
  return acceptTrials(ctx, to, trial, { languages: Object.keys(content.variants ?? {}), language });
}
