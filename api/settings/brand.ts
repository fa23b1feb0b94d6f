import { z } from 'zod';
import type { Brand } from '../../src/contracts/brand';
import { parsedUrl } from '../../src/rules/parsed-url';
import { LINE_BREAKING, because, extended, oneLine, optionalText } from '../http/pieces';

const MOST_ADDRESS = 500;
const MOST_CSS = 10_000;

/** Control characters other than the end of a line. */
const NOT_TEXT = /[^\P{Cc}\n]/u;

/** Matches CSS that loads something, ends the style or hides a name from this check. The policy of the pages blocks such loads as well. */
const NOT_PLAIN_CSS = /[<\\\0]|@(?!media\b)|\b(?:url|src|image|image-set|cross-fade|element|expression)\s*\(/i;

const httpsUrl = z
  .string()
  .max(2048)
  .refine((text) => parsedUrl(text)?.protocol === 'https:' && !LINE_BREAKING.test(text), because('invalid_string', 'Must be an https URL'))
  .meta({ format: 'uri' });

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color like #1a7f5a');

const address = z
  .string()
  .max(MOST_ADDRESS)
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .refine((text) => text !== '', because('too_small', 'Must say something; null removes it'))
  .refine((text) => !NOT_TEXT.test(text), because('invalid_string', 'Must be text, in one line or several'))
  .meta({ maxLength: MOST_ADDRESS });

const css = z
  .string()
  .min(1)
  .max(MOST_CSS)
  .refine(
    (text) => !NOT_PLAIN_CSS.test(text),
    because('invalid_string', 'Must be plain rules: no url(), no @ rule other than @media, no backslash and no <'),
  );

const WORDS = {
  name: 'The sender in the footer of marketing mail and on public pages; null for the project name',
  logoUrl: 'The logo on public pages: an https URL',
  color: 'The color of buttons and links on public pages, as `#rrggbb`',
  address: 'The postal address in the footer of marketing mail; it may have several lines',
  css: 'Styles of the public pages: CSS rules without external resources',
};

export const BrandChange = extended(
  z
    .strictObject({
      name: oneLine(200, 1).normalize('NFC').nullable().optional().meta({ description: WORDS.name }),
      logoUrl: httpsUrl.nullable().optional().meta({ description: WORDS.logoUrl }),
      color: color.nullable().optional().meta({ description: WORDS.color }),
      address: address.nullable().optional().meta({ description: WORDS.address }),
      css: css.nullable().optional().meta({ description: WORDS.css }),
    })
    .nullable()
    .optional(),
  'The brand that recipients see; null removes a member, or all of it',
);

export const ShownBrand = z
  .object({
    name: optionalText.meta({ description: WORDS.name }),
    logoUrl: optionalText.meta({ description: WORDS.logoUrl }),
    color: optionalText.meta({ description: WORDS.color }),
    address: optionalText.meta({ description: WORDS.address }),
    css: optionalText.meta({ description: WORDS.css }),
  })
  .meta({ id: 'Brand', description: 'The brand that recipients see' });

/** Returns a brand with null for what was not said. */
export const toBrand = ({ name, logoUrl, color: shade, address: postal, css: styles }: Brand = {}): z.input<typeof ShownBrand> => ({
  name: name ?? null,
  logoUrl: logoUrl ?? null,
  color: shade ?? null,
  address: postal ?? null,
  css: styles ?? null,
});
