import { escapeMarkup } from './escape';

const HIDDEN = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all';
const FOOTER =
  'margin:24px 0 0;padding:0 16px 16px;font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:20px;color:#595959;text-align:center';

/** The line that a mailbox shows beside the subject; nothing when there is none. */
export function previewBlock(text: string): string {
  return text === '' ? '' : `<div style="${HIDDEN}">${escapeMarkup(text)}</div>`;
}

export function footerHtml(unsubscribeUrl: string): string {
  const link = `<a href="${escapeMarkup(unsubscribeUrl)}" style="color:#595959;text-decoration:underline">Unsubscribe</a>`;
  return `<p style="${FOOTER}">You receive this e-mail because you are on our mailing list. ${link}</p>`;
}

export function footerText(unsubscribeUrl: string): string {
  return `\n\nUnsubscribe: ${unsubscribeUrl}\n`;
}

export function pixelHtml(url: string): string {
  return `<img src="${escapeMarkup(url)}" width="1" height="1" alt="" style="display:none">`;
}
