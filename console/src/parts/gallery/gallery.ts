import { readDesign, renderDesign } from '../blocks/model.ts';
import abandonedCart from './mails/abandoned-cart.json';
import digest from './mails/digest.json';
import eventInvitation from './mails/event-invitation.json';
import newsletter from './mails/newsletter.json';
import passwordReset from './mails/password-reset.json';
import plainLetter from './mails/plain-letter.json';
import productNews from './mails/product-news.json';
import receipt from './mails/receipt.json';
import sale from './mails/sale.json';
import survey from './mails/survey.json';
import welcome from './mails/welcome.json';
import winBack from './mails/win-back.json';

/** A mail to begin from. */
export interface GalleryMail {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly type: 'transactional' | 'marketing';
  readonly subject: string;
  readonly previewText: string;
  /** A design of the block editor. */
  readonly design: object;
  /** The HTML that the design makes. */
  readonly body: string;
}

const TYPES: Readonly<Record<string, GalleryMail['type']>> = { transactional: 'transactional', marketing: 'marketing' };

/** Returns the HTML of a design; all designs here can be read, which their test checks. */
function bodyOf(given: object): string {
  const { design = null } = readDesign(given);
  return design ? renderDesign(design) : '';
}

/** The mails of the gallery, those for many people first. */
export const GALLERY: readonly GalleryMail[] = [
  newsletter,
  productNews,
  sale,
  eventInvitation,
  abandonedCart,
  winBack,
  survey,
  plainLetter,
  welcome,
  receipt,
  passwordReset,
  digest,
].map((mail) => ({ ...mail, type: TYPES[mail.type] ?? 'transactional', body: bodyOf(mail.design) }));
