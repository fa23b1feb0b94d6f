import { HONEYPOT } from '../../src/marketing/forms';
import type { BrandedForm } from '../../src/marketing/forms';
import { escapeMarkup } from '../../src/message/template';
import type { Language } from '../../src/rules/languages';
import { parsedUrl } from '../../src/rules/parsed-url';
import { FORM_SCRIPT, FORM_SCRIPT_HASH } from './form-script';
import { policyOf, titled } from './frame';
import { SIGN_UP_TEXTS } from './sign-up-texts';
import type { SignUpTexts } from './sign-up-texts';

/** Returns the policy of a form's page: that of the brand and, for a proof of work, its own script; the form posts here, and may be redirected to its target. */
export function formPolicy({ redirectUrl, proofOfWork, brand }: Pick<BrandedForm, 'redirectUrl' | 'proofOfWork' | 'brand'>): string {
  const origin = redirectUrl === null ? '' : ` ${parsedUrl(redirectUrl)?.origin ?? ''}`;
  const script = proofOfWork ? `; script-src 'sha256-${FORM_SCRIPT_HASH}'` : '';
  return policyOf(brand).replace("form-action 'self'", `form-action 'self'${origin}`) + script;
}

const INPUTS = { text: 'text', number: 'number', boolean: 'checkbox', date: 'date' } as const;

/** Data that a form is drawn with. */
export interface Drawn {
  readonly challenge: string;
  /** The previous answers, and what is wrong with them. */
  readonly given?: ReadonlyMap<string, string>;
  readonly faults?: readonly string[];
}

/** Returns the page of a form. It needs no script, except for a proof of work. */
export function formPage(language: Language, form: BrandedForm, { challenge, given, faults = [] }: Drawn): string {
  const texts = SIGN_UP_TEXTS[language];
  const value = (key: string): string => (given?.has(key) ? ` value="${escapeMarkup(given.get(key) ?? '')}"` : '');
  const input = ({ key, label, required, type }: BrandedForm['fields'][number]): string => {
    const filled = type === 'boolean' ? (given?.has(key) ? ' checked' : '') : value(key);
    return `<p><label>${escapeMarkup(label)} <input type="${INPUTS[type]}" name="${escapeMarkup(key)}"${type === 'number' ? ' step="any"' : ''}${required ? ' required' : ''}${filled}></label></p>`;
  };
  const wrong = faults.length === 0 ? '' : `<p role="alert">${texts.check} ${faults.map(escapeMarkup).join('; ')}</p>\n`;
  const privacy =
    form.privacyUrl === null ? '' : `<p><a href="${escapeMarkup(form.privacyUrl)}" rel="noopener">${escapeMarkup(texts.privacy)}</a></p>\n`;
  const proof = form.proofOfWork
    ? `<input type="hidden" name="proof" value="">\n<noscript><p>${escapeMarkup(texts.needsScript)}</p></noscript>\n`
    : '';
  const content = `${wrong}<form method="post" accept-charset="utf-8">
<input type="hidden" name="challenge" value="${escapeMarkup(challenge)}">
${proof}<p><label>${escapeMarkup(texts.email)} <input type="email" name="email" autocomplete="email" required${value('email')}></label></p>
${form.fields.map(input).join('\n')}
<div hidden aria-hidden="true"><input type="text" name="${HONEYPOT}" tabindex="-1" autocomplete="off"></div>
<p>${escapeMarkup(form.consentText)}</p>
${privacy}<p><button type="submit" data-working="${escapeMarkup(texts.working)}">${escapeMarkup(texts.submit)}</button></p>
</form>${form.proofOfWork ? `\n<script>${FORM_SCRIPT}</script>` : ''}`;
  return titled({ language, title: escapeMarkup(form.name), content, brand: form.brand });
}

/** The pages that report a result. */
export type Said = { [K in keyof SignUpTexts]: SignUpTexts[K] extends string ? never : K }[keyof SignUpTexts];

/** Returns the page that reports the result. */
export function saidPage(language: Language, { brand }: Pick<BrandedForm, 'brand'>, which: Said): string {
  const [title, text] = SIGN_UP_TEXTS[language][which];
  return titled({ language, title: escapeMarkup(title), content: `<p>${escapeMarkup(text)}</p>`, brand });
}
