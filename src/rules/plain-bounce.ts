import { BLOCK } from './bounce-class';
import { readCodes } from './reply-codes';
import { NOTHING, bouncedBy, phaseOf } from './delivery-report';
import type { ReportVerdict } from './delivery-report';
import { plainWords, ruleFor } from './refusal-words';

/** A message that came back to the envelope sender without a machine-readable report, as far as its kind shows. */
export interface PlainReturn {
  /** MAIL FROM; empty for the null sender of RFC 5321 4.5.5. */
  readonly envelopeFrom: string;
  /** Address, or else name, of the From field, in lower case. */
  readonly from: string;
  readonly subject: string;
  readonly autoSubmitted: string | null;
  /** The field that Exim adds to its bounces. */
  readonly failedRecipients: string | null;
  readonly text: string;
  /** The head of the message that it returns, where that is a part of its own. */
  readonly original: string;
}

const TEXT_LENGTH = 16_384;

const COPY_BEGINS =
  /^[ \t>*=_-]*(?:below this line is a copy|this is a copy of|the following is a copy|(?:(?:your |the |text of )?(?:original|unsent|undelivered|returned|rejected) message(?: headers?)?|message headers?|ursprüngliche nachricht|kopie der nachricht|message d'origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|元のメッセージ)(?: follows?)?[ \t.:*=_-]*$)|^(?:return-path|received|dkim-signature|message-id|mime-version):/im;

const MAIL_SYSTEM =
  /^"?(?:mailer[-_ ]?daemon|post-?master|mail[-_ ]?daemon|mail delivery|mdaemon|mail administrator|système|system administrator)\b/i;

/** Returns whether a mail system sent a message, and no person. */
export const isFromMailSystem = ({ envelopeFrom, from }: Pick<PlainReturn, 'envelopeFrom' | 'from'>): boolean =>
  envelopeFrom === '' || MAIL_SYSTEM.test(envelopeFrom) || MAIL_SYSTEM.test(from);

/** Returns whether a message calls itself the answer of an answering machine. */
export const isAutoReply = (subject: string): boolean => IS_AUTO_REPLY.test(plainWords(subject));

/*
 * The words of notices that mail systems write for people, in English, German, French, Spanish, Italian, Portuguese, Dutch and Japanese. All are looked for in
 * what `plainWords` returns: lower case, without accents.
 */

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'));

/** The message was not delivered. */
const SAYS_FAILED = any(
  "\\b(?:not|n't|cannot|unable to|fail(?:ed|s|ure) to|impossible to|problems?) (?:be |been |yet )?(?:successfully )?(?:deliver|reach|sent\\b|send\\b|forward|process)",
  '\\bundeliver|\\bnon-?deliver|\\bdeliver\\w*\\b.{0,60}\\b(?:fail|error|unsuccessful|reject|impossible)|\\bpermanent(?:ly)? (?:fatal )?(?:error|fail)|\\b(?:failed|failure|failing) (?:notice|mail|message|recipient|address)|\\breturn(?:ed|ing) (?:mail|message|to sender)|\\bmail (?:system )?(?:error|failure)|\\bdid not reach\\b|\\b(?:was|were|been) (?:rejected|bounced|refused)\\b|\\bbounced (?:message|mail)|\\bgiven up\\b|\\bgiving up\\b',
  '\\bunzustellbar|\\bnicht (?:zu(?:ge)?stell|aus(?:ge)?liefer|ubermittel|gesendet|erreich)|\\bzustell\\w*\\b.{0,60}\\b(?:fehlgeschlagen|gescheitert|nicht moglich|fehler)|\\bzustell(?:ungs)?fehler|\\bnicht\\b.{0,60}\\b(?:zugestellt|ausgeliefert|ubermittelt|versendet)',
  "\\bpas (?:pu )?(?:ete |etre )?(?:remis|distribu|delivr|livr|transmis|envoy|achemin)|\\bpu etre (?:remis|distribu|delivr|livr|transmis|envoy|achemin)|\\bechec de (?:la |l')?(?:remise|distribution|livraison|envoi|transmission)|\\bimpossible (?:de |d')(?:remettre|distribuer|livrer|delivrer|transmettre|envoyer|acheminer)|\\bnon[- ](?:remis|distribu|delivr|remise)",
  '\\bno (?:se )?(?:ha |pudo |puede |pudieron |fue |es )*(?:podido |posible )?(?:ser )?(?:entrega|enviar|enviad)|\\bno entregad|\\bentrega\\b.{0,40}\\b(?:fallid|fallo|error)|\\b(?:error|fallo) (?:de|en la) entrega|\\b(?:correo|mensaje) (?:ha sido )?(?:devuelto|rechazado)|\\bimposible entregar',
  '\\bnon (?:e stat[oa] |e |puo |stat[oa] )*(?:possibile )?(?:essere )?(?:recapit|consegn|inoltr)|\\bmancat[oa] (?:recapito|consegna)|\\bimpossibile (?:consegn|recapit|invi|inoltr)|\\b(?:consegna|recapito)\\b.{0,40}\\b(?:fallit|non riuscit)',
  '\\bnao (?:foi |pode |e |ser |possivel |ha |sido )*(?:entreg|enviad)|\\bfalha (?:na |de |no )(?:entrega|envio)|\\bentrega\\b.{0,40}\\bfalh|\\bmensagem (?:devolvida|rejeitada)|\\bimpossivel entregar',
  '\\bniet\\b.{0,60}\\b(?:bezorg|afgeleverd|afleveren|verzonden)|\\bonbestelbaar|\\bonmogelijk\\b.{0,30}\\b(?:bezorg|aflever)|\\b(?:bezorging|aflevering)\\b.{0,40}\\bmislukt',
  '(?:配信|配送|配達|送信|送達|お届け|届)[^。]{0,16}(?:ませ|なかった|できな|不能|不可|失敗|エラー)|不達|戻され|返送|返却|エラーメール',
);

/** The mail system continues to try. */
const SAYS_DELAYED = any(
  "\\bwarning message only|\\bwill (?:keep|continue|be retried|retry|try again)|\\bstill being retried|\\bnot yet (?:been )?deliver|\\b(?:do not|don't) need to resend|\\bdelayed (?:mail|message|delivery)|\\b(?:mail|message|deliver\\w*)\\b.{0,40}\\bdelay|\\(delay\\)|\\bdelivery attempts will continue",
  '\\bverzoger|\\bverzoeger|\\bnoch nicht (?:zugestellt|ausgeliefert)|\\bweiter(?:hin)? versuch|\\bversuche werden fortgesetzt',
  '\\bretard|\\bpas encore (?:ete|pu)|\\bnouvelles? tentatives?|\\ba nouveau tent',
  '\\bretras|\\bdemorad|\\baun no\\b|\\breintent|\\bseguira intentando|\\bseguiremos intentando',
  '\\britard|\\bnon (?:e )?ancora\\b|\\bulteriori tentativi|\\britentat',
  '\\batras(?:o|ad)|\\bainda nao\\b|\\bcontinuar[aá]? tentando|\\bnovas tentativas',
  '\\bvertraag|\\bvertraging|\\bnog niet\\b|\\bblijven proberen|\\bopnieuw geprobeerd',
  '遅延|遅れて|再送を|再試行(?:し|を続)|送信を続け',
);

/** The mail system has tried for as long as it does. */
const SAYS_EXPIRED = any(
  "\\bnot going to try again|\\bin the queue too long|\\bretry time(?:out)? (?:not reached|exceeded)|\\b(?:message|delivery time|delivery) (?:has )?expired|\\b(?:could not|couldn't|cannot|unable to) (?:be )?deliver\\w* (?:the message |it )?(?:for|within|after) (?:\\w+ ){0,4}(?:hours?|days?)|\\bno (?:further|more) (?:delivery )?attempts|\\bwill not (?:be )?(?:retr|tr(?:y|ied) again)|\\bgiving up\\b|\\bdelivery retry timeout",
);

/** A person, or a person's answering machine, wrote it. */
const IS_AUTO_REPLY = any(
  '\\bout of (?:the )?office|\\bauto(?:matic)?[- ]?(?:reply|response|answer)|\\bautorespon|\\bvacation|\\bon (?:leave|holiday)|\\babsence\\b|\\baway from',
  '\\babwesen|\\bautomatische (?:antwort|beantwortung)|\\bnicht im (?:buro|hause?)|\\burlaub',
  '\\breponse automatique|\\babsen(?:t|ce)\\b|\\bconges\\b',
  '\\bfuera de (?:la )?oficina|\\brespuesta automatica|\\bausen(?:te|cia)|\\bvacaciones',
  '\\bfuori (?:ufficio|sede)|\\brisposta automatica|\\bassen(?:te|za)\\b|\\bferie\\b',
  '\\bfora do escritorio|\\bresposta automatica|\\bferias\\b',
  '\\bafwezig|\\bautomatisch(?:e)? (?:antwoord|reactie|bericht)|\\bvakantie',
  '不在|自動(?:返信|応答|回答)|休暇',
);

/**
 * Judges a bounce of a mail system that writes for people only. Careful: it has to come from a mail system and to name `to`. With a permanent code it is judged as
 * that refusal; without one, it suppresses nobody. What is late, or an auto-reply, means nothing.
 */
export function judgePlainReturn(returned: PlainReturn, to: string): ReportVerdict {
  const { own, copy } = divided(returned.text);
  if (!isFromMailSystem(returned) || isAutoReply(returned.subject) || !isAbout(returned, own, copy, to)) return NOTHING;
  const words = plainWords(`${returned.subject}\n${own}`);
  if (SAYS_DELAYED.test(words)) return NOTHING;
  const said = permanentIn(own, to);
  if (said) return bouncedBy({ ...readCodes(said.line), phase: phaseOf(own), words: said.around, reason: said.line });
  return isAutomaticAnswer(returned, words) ? NOTHING : withoutCode(words, own);
}

// Without a code, a notice has to show better that no answering machine wrote it.
const isAutomaticAnswer = ({ envelopeFrom, from, autoSubmitted }: PlainReturn, words: string): boolean =>
  envelopeFrom !== '' || IS_AUTO_REPLY.test(words) || (/^\s*auto-replied/i.test(autoSubmitted ?? '') && !MAIL_SYSTEM.test(from));

function withoutCode(words: string, own: string): ReportVerdict {
  const reason = reasonOf(own);
  if (SAYS_EXPIRED.test(words)) return { kind: 'bounced', bounceType: 'soft', suppresses: 'never', reason };
  const { code, status } = readCodes(own);
  if (code !== null || status !== null) return NOTHING;
  return SAYS_FAILED.test(words) || ruleFor(own, null)?.class === 'hard' ? { ...BLOCK, reason } : NOTHING;
}

function divided(text: string): { readonly own: string; readonly copy: string } {
  const bounded = text.slice(0, TEXT_LENGTH);
  const end = bounded.search(COPY_BEGINS);
  return end < 0 ? { own: bounded, copy: '' } : { own: bounded.slice(0, end), copy: bounded.slice(end) };
}

const SERVICE = /^(?:mailer-daemon|post-?master|abuse|support|help\S*|no-?reply|admin\S*|hostmaster|webmaster|b\+\S+)@/;

/** Returns whether a notice is about `to`. If it names nobody else, the message that it returns says whom it is about. */
function isAbout({ failedRecipients, original }: PlainReturn, own: string, copy: string, to: string): boolean {
  const named = `${failedRecipients ?? ''}\n${own}`.toLowerCase();
  if (named.includes(to.toLowerCase())) return true;
  const others = named.match(/[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+\.[\w.-]+/g) ?? [];
  return others.every((address) => SERVICE.test(address)) && `${copy}\n${original}`.toLowerCase().includes(to.toLowerCase());
}

interface Said {
  readonly line: string;
  /** The line, and those of its paragraph next to it. */
  readonly around: string;
}

const AROUND = 4;
const REASON_LENGTH = 1_000;

/** Finds the first refusal for good from where the recipient is named, else anywhere. */
function permanentIn(text: string, to: string): Said | null {
  const lines = text.split(/\r\n|\r|\n/);
  const named = lines.findIndex((line) => line.toLowerCase().includes(to.toLowerCase()));
  const order = [...lines.keys()].map((index) => (index + Math.max(named, 0)) % lines.length);
  const found = order.find((index) => isPermanent(lines[index] ?? ''));
  if (found === undefined) return null;
  const line = (lines[found] ?? '').trim().slice(0, REASON_LENGTH);
  const before = [...paragraph(lines.slice(0, found).reverse())].reverse();
  return { line, around: [...before, line, ...paragraph(lines.slice(found + 1))].join('\n') };
}

function paragraph(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line.trim() === '');
  return lines.slice(0, Math.min(end < 0 ? lines.length : end, AROUND));
}

function isPermanent(line: string): boolean {
  const { code, status } = readCodes(line);
  if (status?.startsWith('4.')) return false;
  return code === null ? status !== null : code >= 500;
}

/** Returns the line that says most about why; without a code it is the first one that is a sentence. */
const reasonOf = (own: string): string =>
  (own.split('\n').find((line) => SAYS_FAILED.test(plainWords(line))) ?? own.trim().split('\n')[0] ?? '').trim().slice(0, REASON_LENGTH);
