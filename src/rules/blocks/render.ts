import type { Design } from './model';
import { rows } from './rows';
import { DARK, readableOnDark, styleOf } from './style';
import { escaped } from './syntax';

const SIDE = 24;
const FROM_RIGHT = /^(?:ar|fa|he|ur|ps|yi)\b/i;

// Colors on a dark screen, and columns below each other on a narrow one. The mail can be read without.
const rulesOf = (width: number, link: string): string =>
  [
    'body{margin:0;padding:0}',
    `@media (max-width:${width}px){.lm-col{max-width:100%!important;margin-right:0!important}}`,
    '@media (prefers-color-scheme:dark){',
    `.lm-around{background-color:${DARK.background}!important}`,
    `.lm-surface{background-color:${DARK.surface}!important}`,
    `.lm-text{color:${DARK.text}!important}`,
    `.lm-quiet{color:${DARK.quiet}!important}`,
    `.lm-link{color:${link}!important}`,
    `.lm-line{border-color:${DARK.line}!important}`,
    '}',
  ].join('\n');

const headOf = (rules: string): string =>
  [
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    '<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->',
    `<style>\n${rules}\n</style>`,
    '</head>',
  ].join('\n');

/**
 * Writes the HTML that is sent: a function of the design alone, so that the same design always gives the same HTML. Text of the design becomes
 * neither HTML nor a placeholder; only HTML blocks are taken as they are.
 */
export function renderDesign({ lang = 'en', style: given, blocks }: Design): string {
  const style = styleOf(given);
  const direction = FROM_RIGHT.test(lang) ? ' dir="rtl"' : '';
  const table = '<table role="presentation" border="0" cellpadding="0" cellspacing="0"';
  return [
    '<!doctype html>',
    `<html lang="${escaped(lang)}"${direction} xmlns:o="urn:schemas-microsoft-com:office:office">`,
    headOf(rulesOf(style.width, readableOnDark(style.color))),
    `<body class="lm-around" style="margin:0;padding:0;background-color:${style.background}">`,
    `${table} width="100%" bgcolor="${style.background}" class="lm-around" style="background-color:${style.background}"><tr><td align="center" style="padding:24px 0">`,
    `<!--[if mso]>${table} width="${style.width}"><tr><td><![endif]-->`,
    `${table} width="100%" bgcolor="${style.surface}" class="lm-surface" style="max-width:${style.width}px;background-color:${style.surface};text-align:start">`,
    `${rows(blocks, { style, width: style.width, side: SIDE, names: [], adapts: true })}</table>`,
    '<!--[if mso]></td></tr></table><![endif]-->',
    '</td></tr></table>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
