import { createHash } from 'node:crypto';
import type { Brand } from '../../src/contracts/brand';
import { escapeMarkup } from '../../src/message/template';
import { inkOn } from '../../src/rules/brand';
import type { Language } from '../../src/rules/languages';

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px;
  font: 17px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1f2328; background: #f4f5f7; }
main { width: 100%; max-width: 30rem; padding: 40px; border-radius: 14px; background: #fff; box-shadow: 0 1px 3px #0002, 0 8px 28px #0000000f; }
h1 { margin: 0 0 12px; font-size: 1.45rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0; overflow-wrap: anywhere; }
form { margin: 28px 0 0; }
form + form { margin: 12px 0 0; }
form p, ul { margin: 14px 0; }
label { display: block; }
input:is([type=text], [type=email], [type=number], [type=date]) { font: inherit; width: 100%; padding: 9px 12px; border: 1px solid #8888; border-radius: 9px; color: inherit; background: none; }
button { font: inherit; font-weight: 600; padding: 11px 24px; border: 0; border-radius: 9px; color: var(--on-brand, #fff); background: var(--brand, #1b4fbd); cursor: pointer; }
button:hover { filter: brightness(0.9); }
.quiet { color: inherit; background: none; border: 1px solid currentcolor; font-weight: 400; }
.quiet:hover { background: #8883; filter: none; }
:is(button, input, select):focus-visible { outline: 3px solid #7aa2ff; outline-offset: 3px; }
.logo { display: block; max-width: 100%; max-height: 64px; margin: 0 0 24px; }
.more { margin: 24px 0 0; }
.note { margin: 0 0 20px; padding: 12px 16px; border: 1px solid currentcolor; border-radius: 9px; }
.note form { margin: 12px 0 0; }
fieldset { margin: 0 0 28px; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin: 0 0 8px; font-weight: 600; }
.choice { display: flex; gap: 12px; padding: 8px 0; cursor: pointer; overflow-wrap: anywhere; }
.choice input { flex: none; width: 20px; height: 20px; margin: 3px 0 0; accent-color: var(--brand, #1b4fbd); }
.choice small { display: block; font-size: 0.9rem; }
.field { display: block; margin: 0 0 16px; }
select { display: block; width: 100%; margin: 6px 0 0; padding: 10px; font: inherit; color: inherit; background: transparent; border: 1px solid currentcolor; border-radius: 9px; }
option { color: #1f2328; background: #fff; }
.leave.leave { margin: 36px 0 0; padding: 28px 0 0; border-top: 1px solid #8886; }
.leave p { margin: 12px 0 0; }
h2 { margin: 0 0 16px; font-size: 1.1rem; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e8eb; background: #121417; }
  main { background: #1c1f24; box-shadow: none; }
}
`;

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

const policyWith = (styles: readonly string[], pictures: string): string =>
  `default-src 'none'; style-src ${styles.map(hashOf).join(' ')};${pictures} form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The policy of the pages below: their own style, a form that posts to where it came from, and nothing else. */
export const PAGE_POLICY = policyWith([STYLE], '');

/** Returns the brand's own styles; null where it has none. */
function brandStyle({ color, css }: Brand): string | null {
  const colors = color === undefined ? '' : `:root { --brand: ${color}; --on-brand: ${inkOn(color)}; }\n`;
  return colors === '' && css === undefined ? null : `${colors}${css ?? ''}`;
}

/** Returns the policy of a page with a brand: in addition its styles, and pictures of the host of its logo. Neither can load anything else. */
export function policyOf(brand: Brand = {}): string {
  const style = brandStyle(brand);
  const pictures = brand.logoUrl === undefined ? '' : ` img-src ${new URL(brand.logoUrl).origin};`;
  return policyWith([STYLE, ...(style === null ? [] : [style])], pictures);
}

interface Framed {
  readonly language: Language;
  /** Markup, as is the content. */
  readonly title: string;
  readonly content: string;
  readonly brand: Brand | undefined;
}

/** Returns a whole page under its title. */
export const titled = ({ title, content, ...page }: Framed): string => framed({ ...page, title, content: `<h1>${title}</h1>\n${content}` });

/** Returns a whole page, whose content has its heading. */
export function framed({ language, title, content, brand = {} }: Framed): string {
  const style = brandStyle(brand);
  const logo =
    brand.logoUrl === undefined ? '' : `<img class="logo" src="${escapeMarkup(brand.logoUrl)}" alt="${escapeMarkup(brand.name ?? '')}">\n`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>${style === null ? '' : `\n<style>${style}</style>`}
</head>
<body>
<main>
${logo}${content}
</main>
</body>
</html>
`;
}
