import { messageTo, prepareOwnMail } from '../accept';
import type { SendMessage } from '../accept';
import { timedId, newId } from '../../platform/core';
import type { Context, Core } from '../../platform/core';
import { senderName } from '../../rules/brand';
import { languageOfTag } from '../../rules/languages';
import type { Language } from '../../rules/languages';
import { OptInModel } from './model';
import type { OptIn } from './model';
import { listTopics } from '../../audience/topics';
import { getProject } from '../../records/projects';
import { topicName } from '../../rules/topics';

type Content = Pick<SendMessage, 'subject' | 'html' | 'text'>;

/** Returns the platform's own confirmation. All that is specific to a person is in values: messages in the same language share one content. */
function ownContent(language: Language): Content {
  const { subject, ask, topics, button, ignore } = CONFIRMATION_TEXTS[language];
  return {
    subject,
    html: `<!doctype html>
<html lang="${language}"><body style="font:16px/1.5 sans-serif">
<p>${ask}</p>
{{#if topics}}<p>${topics}</p><ul>{{#each topics}}<li>{{this}}</li>{{/each}}</ul>{{/if}}
{{#if consentText}}<p>{{consentText}}</p>{{/if}}
<p><a href="{{confirmUrl}}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1b4fbd;color:#fff;text-decoration:none">${button}</a></p>
<p style="color:#666">${ignore}</p>
</body></html>`,
    text: `${ask}

{{#if topics}}${topics}
{{#each topics}}- {{this}}
{{/each}}
{{/if}}{{#if consentText}}{{consentText}}

{{/if}}${button}: {{confirmUrl}}

${ignore}
`,
  };
}

type Mailed = Pick<OptIn, 'email' | 'topics' | 'locale' | 'text' | 'templateId'>;

const NO_CONTENT: Content = { subject: null, html: null, text: null };

async function messageOf(ctx: Context, { email, templateId, text: consentText, ...optIn }: Mailed, url: string): Promise<SendMessage> {
  const isOwn = templateId === null;
  const content = isOwn ? ownContent((optIn.locale && languageOfTag(optIn.locale)) || 'en') : NO_CONTENT;
  const projectName = senderName(ctx.project);
  return messageTo(email, {
    ...content,
    templateId,
    type: 'transactional',
    from: null,
    fromName: isOwn ? projectName : null,
    replyTo: null,
    variables: { confirmUrl: url, projectName, topics: await namesOf(ctx, optIn), consentText },
    // Link scanners would open a tracked link.
    tracking: { opens: false, clicks: false },
  });
}

/** Checks that a confirmation can be sent, without storing a message. Throws `send_failed`. */
export async function checkConfirmation(ctx: Context, mailed: Mailed): Promise<void> {
  await prepareOwnMail(ctx, await messageOf(ctx, mailed, `${ctx.core.config.PUBLIC_URL}/c/`), 'em_none');
}

/** Prepares the confirmation that is due. Each has an id of its own, so that none is stored twice. Throws `send_failed`. */
export async function prepareConfirmation(ctx: Context, optIn: OptIn): ReturnType<typeof prepareOwnMail> {
  const { _id, requestedAt, mails } = optIn;
  const emailId = timedId('em', requestedAt.getTime(), `${_id}/${mails}`);
  return prepareOwnMail(ctx, await messageOf(ctx, optIn, confirmUrl(ctx.core, optIn)), emailId);
}

/** The texts of the confirmation in one language. Placeholders are those of templates. */
interface ConfirmationTexts {
  readonly subject: string;
  readonly ask: string;
  readonly topics: string;
  readonly button: string;
  readonly ignore: string;
}

/** The texts of the platform's own confirmation, by language. */
const CONFIRMATION_TEXTS: Readonly<Record<Language, ConfirmationTexts>> = {
  en: {
    subject: 'Confirm your subscription: {{projectName}}',
    ask: 'Someone signed up for email from {{projectName}} with this address. If it was you, confirm:',
    topics: 'You asked for:',
    button: 'Confirm subscription',
    ignore: 'If it was not you, do nothing: you will not be subscribed. The link is valid for 7 days.',
  },
  de: {
    subject: 'Bitte bestätigen Sie Ihre Anmeldung: {{projectName}}',
    ask: 'Mit dieser Adresse hat sich jemand für E-Mails von {{projectName}} angemeldet. Wenn Sie das waren, bestätigen Sie bitte Ihre Anmeldung:',
    topics: 'Sie haben gewählt:',
    button: 'Anmeldung bestätigen',
    ignore: 'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Sie werden nicht angemeldet. Der Link ist 7 Tage gültig.',
  },
  fr: {
    subject: 'Confirmez votre inscription : {{projectName}}',
    ask: 'Une inscription aux e-mails de {{projectName}} a été demandée avec cette adresse. Si c’était vous, confirmez-la :',
    topics: 'Vous avez choisi :',
    button: 'Confirmer l’inscription',
    ignore: 'Si ce n’était pas vous, ignorez ce message : cette adresse ne sera pas inscrite. Le lien est valable 7 jours.',
  },
  es: {
    subject: 'Confirme su suscripción: {{projectName}}',
    ask: 'Alguien ha suscrito esta dirección a los correos de {{projectName}}. Si ha sido usted, confírmelo:',
    topics: 'Ha elegido:',
    button: 'Confirmar la suscripción',
    ignore: 'Si no ha sido usted, ignore este mensaje: la dirección no quedará suscrita. El enlace es válido durante 7 días.',
  },
  nl: {
    subject: 'Bevestig uw aanmelding: {{projectName}}',
    ask: 'Iemand heeft zich met dit adres aangemeld voor e-mail van {{projectName}}. Was u dat? Bevestig dan uw aanmelding:',
    topics: 'U hebt gekozen:',
    button: 'Aanmelding bevestigen',
    ignore: 'Was u dat niet? Dan hoeft u niets te doen: u wordt niet aangemeld. De link is 7 dagen geldig.',
  },
  it: {
    subject: 'Confermi la sua iscrizione: {{projectName}}',
    ask: 'Con questo indirizzo è stata richiesta l’iscrizione alle e-mail di {{projectName}}. Se è stata una sua richiesta, la confermi:',
    topics: 'Ha scelto:',
    button: 'Conferma l’iscrizione',
    ignore: 'In caso contrario ignori questo messaggio: l’indirizzo non verrà iscritto. Il link è valido per 7 giorni.',
  },
  pt: {
    subject: 'Confirme sua inscrição: {{projectName}}',
    ask: 'Alguém inscreveu este endereço nos e-mails de {{projectName}}. Se foi você, confirme:',
    topics: 'Você escolheu:',
    button: 'Confirmar inscrição',
    ignore: 'Se não foi você, ignore esta mensagem: o endereço não será inscrito. O link é válido por 7 dias.',
  },
  pl: {
    subject: 'Potwierdź zapis: {{projectName}}',
    ask: 'Ktoś podał ten adres, zapisując się na e-maile od {{projectName}}. Jeśli to Ty, potwierdź zapis:',
    topics: 'Wybrane tematy:',
    button: 'Potwierdzam zapis',
    ignore: 'Jeśli to nie Ty, zignoruj tę wiadomość: adres nie zostanie zapisany. Link jest ważny 7 dni.',
  },
};

type LinkCore = { readonly config: Pick<Core['config'], 'PUBLIC_URL'>; readonly secrets: Core['secrets'] };

const PREFIX = 'opt_';
const TOKEN = /^([0-9a-z]{26})\.([0-9a-z]{28})$/;

/** Returns the text that a link's token is signed over. A link belongs to one opt-in: links of earlier ones lead nowhere. */
const signed = ({ _id, requestedAt }: Pick<OptIn, '_id' | 'requestedAt'>): string => `${_id}/${requestedAt.getTime()}`;

/** Returns the page on which an opt-in is confirmed. Tokens are signed and hold no address. */
export const confirmUrl = ({ config, secrets }: LinkCore, optIn: Pick<OptIn, '_id' | 'requestedAt'>): string =>
  `${config.PUBLIC_URL}/c/${optIn._id.slice(PREFIX.length)}.${secrets.sign('opt-in', signed(optIn))}`;

/** Resolves to the opt-in of a link; null for a token that was not signed here, is of an earlier opt-in, or has expired. */
export async function optInOfLink({ secrets }: Pick<LinkCore, 'secrets'>, token: string, now: Date): Promise<OptIn | null> {
  const [, id, signature = ''] = TOKEN.exec(token) ?? [];
  if (id === undefined) return null;
  const optIn = await OptInModel.findOne({ _id: PREFIX + id }).lean<OptIn>();
  return optIn && secrets.verify('opt-in', signed(optIn), signature) && optIn.expiresAt > now ? optIn : null;
}

/** Resolves to the context in which the platform acts for an opt-in. */
export async function contextOf(core: Core, { projectId, testMode }: Pick<OptIn, 'projectId' | 'testMode'>): Promise<Context> {
  const project = await getProject(projectId);
  return { core, projectId, project, testMode, keyKind: testMode ? 'test' : 'secret', requestId: newId('req') };
}

/** Resolves to the names of an opt-in's topics, in their order. */
export const namesOf = async (ctx: Context, { topics, locale }: Pick<OptIn, 'topics' | 'locale'>): Promise<readonly string[]> =>
  topics.length === 0 ? [] : (await listTopics(ctx)).filter(({ _id }) => topics.includes(_id)).map((topic) => topicName(topic, locale));
