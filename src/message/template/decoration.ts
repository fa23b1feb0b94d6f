import { FixedText } from '../mime';
import type { Pieces } from '../mime';
import { escapeMarkup } from './escape';

const HIDDEN = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all';
const FOOTER =
  'margin:24px 0 0;padding:0 16px 16px;font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:20px;color:#595959;text-align:center';

const PREVIEW_START = new FixedText(`<div style="${HIDDEN}">`);
const PREVIEW_END = new FixedText('</div>');
const FOOTER_START = new FixedText(`<p style="${FOOTER}">You receive this e-mail because you are on our mailing list. <a href="`);
const FOOTER_END = new FixedText('" style="color:#595959;text-decoration:underline">Unsubscribe</a></p>');
const FOOTER_TEXT = new FixedText('\n\nUnsubscribe: ');
const LINE_END = new FixedText('\n');
const PIXEL_START = new FixedText('<img src="');
const PIXEL_END = new FixedText('" width="1" height="1" alt="" style="display:none">');

/** Makes the preview line that a mailbox shows beside the subject; nothing when it is empty. */
export const previewBlock = (text: string): Pieces => (text === '' ? [] : [PREVIEW_START, escapeMarkup(text), PREVIEW_END]);

/** Returns the footer of marketing mail whose author wrote no link to unsubscribe. */
export const footerHtml = (unsubscribeUrl: string): Pieces => [FOOTER_START, escapeMarkup(unsubscribeUrl), FOOTER_END];

export const footerText = (unsubscribeUrl: string): Pieces => [FOOTER_TEXT, unsubscribeUrl, LINE_END];

/** Returns the picture whose loading is counted as an open. */
export const pixelHtml = (url: string): Pieces => [PIXEL_START, escapeMarkup(url), PIXEL_END];
