import { directionOf } from '../../rules/translations';

/** Ends at the next `<`: a search from each of many open tags to the end would take time by the square of their number. */
const ROOT = /<(?:html|body)(?=[\s>])[^<>]*>/i;
const hasAttribute = (tag: string, name: string): boolean => new RegExp(`\\s${name}\\s*=`, 'i').test(tag);

/** Returns HTML that says its direction where that is from right to left: at its own outermost element, or in one around it. */
export function directed(html: string, language: string): string {
  if (directionOf(language) === 'ltr') return html;
  const root = ROOT.exec(html)?.[0];
  if (root === undefined) return `<div dir="rtl" lang="${language}">${html}</div>`;
  if (hasAttribute(root, 'dir')) return html;
  const lang = hasAttribute(root, 'lang') ? '' : ` lang="${language}"`;
  return html.replace(root, () => root.replace(/^<\w+/, (name) => `${name} dir="rtl"${lang}`));
}
