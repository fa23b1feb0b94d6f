import type { Context } from '../../platform/core';
import { newId } from '../../platform/core';
import { composeMail, textOf } from '../../message/mime';
import type { CompiledContent, ContactFields } from '../../message/template';
import { mailScratch, outgoingMail, renderMail } from '../../sending/deliver';
import type { Campaign } from '../campaigns';
import { campaignEmail, outgoingOf } from './mail';

/** A message of a campaign as one reader would get it. */
export interface Specimen {
  readonly html: string;
  readonly text: string;
  /** The composed message, one character a byte, signed where its domain is verified. */
  readonly message: string;
}

/** Composes a message of a campaign for one reader, as it would be sent now; it is neither stored nor sent. Throws TemplateRenderError. */
export async function specimenOf(
  { core, project }: Context,
  campaign: Campaign,
  content: CompiledContent,
  fields: ContactFields,
): Promise<Specimen> {
  const outgoing = await outgoingOf(core, project, campaign);
  const now = new Date();
  const { email: to, contactId, ...contact } = fields;
  const recipient = { emailId: newId('em', now.getTime()), email: to };
  const values = content.valuesFor({}, fields);
  const draft = { contentId: null, subject: '', values: JSON.stringify(values) };
  const attempt = { id: 'specimen', worker: 'specimen', at: now };
  const email = campaignEmail(outgoing, { recipient, contact: { _id: contactId ?? '', ...contact } }, draft, null, attempt);
  const rendered = renderMail(core, email, content, values);
  const message = await composeMail(outgoingMail(core, email, rendered, [], outgoing.dkim), mailScratch(core));
  return { html: textOf(rendered.html), text: textOf(rendered.text), message };
}
