import { nearestName } from '../../src/rules/near-name';

/** The probable meaning: a name, perhaps with a note, or what to do instead. */
interface Meant {
  readonly name: string;
  readonly note?: string;
}
type Instead = { readonly where: string; readonly say: string };
type Known = string | (Meant & { readonly note: string }) | Instead;

const AT_SEND = { where: 'abSubjectB', say: 'give it to POST /v1/campaigns/{id}/send' };
const NEVER = { where: 'visibility', say: 'the key and the default of a topic never change' };
const AS_SPAN = { where: 'amount', say: 'a span is written as {"amount": 3, "unit": "days"}' };

/**
 * Other services' names for members and values, without separators and in lower case, and their names here: the first one that is accepted
 * at the path wins. A note is given if a member `where` is accepted.
 */
const ELSEWHERE: Readonly<Record<string, readonly Known[]>> = {
  // Messages, templates and campaigns.
  body: ['html'],
  content: ['html', 'body'],
  html: ['body'],
  htmlbody: ['html', 'body'],
  htmlcontent: ['html', 'body'],
  text: ['body'],
  textbody: ['text'],
  textcontent: ['text'],
  plaintext: ['text'],
  react: ['html'],
  scheduledat: ['sendAt', 'scheduledFor', AT_SEND],
  scheduledfor: ['sendAt', AT_SEND],
  sendat: ['scheduledFor', AT_SEND],
  sendtime: ['sendAt', 'scheduledFor', AT_SEND],
  deliverytime: ['sendAt', 'scheduledFor', AT_SEND],
  abdecideat: [AT_SEND],
  throttleperminute: [AT_SEND],
  recipients: ['to'],
  recipient: ['to', 'email'],
  personalizations: ['to'],
  sender: ['from', 'fromEmail'],
  from: ['fromEmail'],
  fromaddress: ['from', 'fromEmail'],
  replytoemail: ['replyTo'],
  preheader: ['previewText'],
  preview: ['previewText'],
  template: ['templateId'],
  templatemodel: ['variables'],
  templatedata: ['variables'],
  dynamictemplatedata: ['variables'],
  data: ['variables'],
  context: ['variables'],
  mergevars: ['variables'],
  mergetags: ['variables'],
  params: ['variables'],
  substitutions: ['variables'],
  metadata: ['tags', 'data'],
  categories: ['tags'],
  trackopens: ['tracking'],
  tracklinks: ['tracking'],
  messagestream: ['type'],
  cid: ['contentId'],
  mimetype: ['contentType'],
  name: ['filename', 'domain', 'event'],
  list: ['segmentId'],
  listid: ['segmentId'],
  audienceid: ['segmentId'],
  recipientfilter: ['filter'],
  // Contacts and events.
  unsubscribed: [{ name: 'subscribed', note: 'with the opposite meaning' }],
  optedout: [{ name: 'subscribed', note: 'with the opposite meaning' }],
  optedin: ['subscribed'],
  language: ['locale'],
  attributes: ['data'],
  customfields: ['data'],
  fields: ['data'],
  traits: ['data'],
  properties: ['data'],
  payload: ['data'],
  event: ['name'],
  eventname: ['name', 'event'],
  userid: ['contactId', 'email'],
  user: ['contactId', 'email'],
  distinctid: ['contactId', 'email'],
  timestamp: ['occurredAt'],
  time: ['occurredAt'],
  contacts: ['emails', 'contactIds'],
  ids: ['contactIds'],
  // Topics.
  defaultsubscription: [NEVER],
  // Webhooks, domains and keys.
  endpoint: ['url'],
  endpointurl: ['url'],
  callback: ['url'],
  target: ['to', 'url'],
  eventtypes: ['events'],
  active: ['enabled'],
  hostname: ['domain'],
  domainname: ['domain'],
  // Conditions and graphs.
  key: ['field', NEVER],
  property: ['field'],
  attribute: ['field'],
  op: ['operator'],
  comparator: ['operator'],
  condition: ['operator', 'conditions'],
  values: ['value'],
  rules: ['filters'],
  match: ['logic'],
  combinator: ['logic'],
  all: ['and'],
  any: ['or'],
  source: ['from'],
  sourcehandle: ['branch'],
  label: ['name', 'branch'],
  next: ['to'],
  parameters: ['config'],
  settings: ['config'],
  days: [AS_SPAN],
  hours: [AS_SPAN],
  minutes: [AS_SPAN],
  seconds: [AS_SPAN],
  weeks: [AS_SPAN],
  duration: [AS_SPAN],
  // Types of nodes.
  email: ['send_email'],
  mail: ['send_email'],
  message: ['send_email'],
  wait: ['delay'],
  sleep: ['delay'],
  timer: ['delay'],
  waituntil: ['wait_for_event'],
  if: ['condition'],
  filter: ['condition'],
  branch: ['switch', 'condition'],
  abtest: ['split'],
  random: ['split'],
  http: ['webhook'],
  request: ['webhook'],
  start: ['trigger'],
  entry: ['trigger'],
  end: ['exit'],
  stop: ['exit'],
  goal: ['wait_for_event'],
  setattribute: ['update_contact'],
};

/** Hints about an unknown member without a counterpart, where these members are accepted. */
const OTHERWISE: readonly (readonly [taken: readonly string[], say: string])[] = [
  [['firstName', 'data'], 'custom fields go into "data"'],
  [['occurredAt', 'data'], 'properties of the event go into "data"'],
];

const plain = (name: string): string => name.replace(/[-_\s]/g, '').toLowerCase();

function elsewhere(given: string, known: readonly string[]): Meant | Instead | null {
  const letters = plain(given);
  const names = Object.hasOwn(ELSEWHERE, letters) ? (ELSEWHERE[letters] ?? []) : [];
  const isTaken = (each: Known): boolean => known.includes(typeof each === 'string' ? each : 'name' in each ? each.name : each.where);
  const found = names.find(isTaken);
  return typeof found === 'string' ? { name: found } : (found ?? null);
}

/** Returns whether a name has a meaning where these are known: it is one of them, or another service's word for one. */
export const isMeant = (given: string, known: readonly string[]): boolean =>
  known.includes(given) || elsewhere(given, known) !== null || nearestName(given, known) !== null;

/** Returns what was probably meant by a name that is not known, as the end of a sentence; empty where nothing was. */
export function whatWasMeant(given: string, known: readonly string[]): string {
  if (known.includes(given)) return ': it cannot be used with the other members of this object';
  const found = elsewhere(given, known);
  if (found && 'say' in found) return `: ${found.say}`;
  const name = found?.name ?? nearestName(given, known);
  if (name !== null && name !== undefined)
    return `: did you mean ${JSON.stringify(name)}${found?.note === undefined ? '' : `, ${found.note}`}?`;
  return otherwise(known);
}

function otherwise(known: readonly string[]): string {
  const hint = OTHERWISE.find(([taken]) => taken.every((member) => known.includes(member)));
  return hint ? `: ${hint[1]}` : '';
}
