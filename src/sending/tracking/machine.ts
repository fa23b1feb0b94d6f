import { BlockList, isIP } from 'node:net';
import { isbot } from 'isbot';
import { derivedId } from '../../platform/core';
import type { TimingReason } from '../../rules/visits';
import { lazily } from '../../rules/lazily';

/** One request for the pixel or for a link of a message. */
export interface Hit {
  readonly emailId: string;
  readonly kind: HitKind;
  /** The link; null for an open. */
  readonly url: string | null;
  readonly userAgent: string | null;
  /** The same for requests of one message that come from the same address with the same user agent; null where that is not known. */
  readonly client: string | null;
  /** Null for a person's, as far as the request shows. */
  readonly machine: MachineReason | null;
  readonly at: Date;
}

export type HitKind = 'open' | 'click';

/** Why a hit is not taken for a person's. */
export type MachineReason =
  | TimingReason
  | 'head'
  | 'purpose'
  | 'sec-purpose'
  | 'x-moz'
  | 'no-user-agent'
  | 'bare-user-agent'
  | 'bot'
  | 'network';

/** The party that opened or clicked: a person, a proxy that loads images for one, or another machine. */
export type HitBy = 'person' | 'proxy' | 'machine';

/** A proxy that loads images: for a reader who opens, or ahead of all readers, as Apple's does. */
export type ImageProxy = 'apple' | 'google' | 'yahoo' | 'other';

/** The parts of a request by which a person and a machine differ. */
export interface HitRequest {
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client's address; null or absent where it is not known. */
  readonly client?: string | null;
}

/** Sent by browsers and proxies that fetch what no person has asked for yet. */
const PREFETCH_HEADERS = ['purpose', 'sec-purpose', 'x-moz'] as const;

/** The user agent of Apple's mail privacy proxy and of several scanners. */
const BARE_USER_AGENT = 'Mozilla/5.0';

/** Fetches the images of a message for its reader; nobody follows a link through it. */
const IMAGE_PROXY = /ggpht\.com|image[ -]?proxy|mail[ -]?proxy/i;

/** Robots that `isbot` does not know, and a contact address written so that no program finds it. */
const OTHER_ROBOT = /proofpoint|gtmetrix|miniature\.io|monspark|\bylt\b|^dart\/|[[(]at[\])]/i;

const MAIL_APPS = [
  '(?:microsoft )?outlook',
  'ms-?office',
  'windows ?mail',
  'thunderbird',
  '(?:apple ?|mobile ?)?mail',
  'airmail',
  'gmail',
  'yahoo(?:mobile)?(?:%20| )?mail',
  'yahoomobile',
  'samsung ?email',
  'proton ?mail',
  'fastmail',
  'tutanota',
  'zoho ?mail',
  'hey',
  'k-9',
  'fairemail',
  'aqua ?mail',
  'blue ?mail',
  'newton ?mail',
  'mailspring',
  'mimestream',
  'superhuman',
  'spark',
  'spike',
  'edison',
  'canary(?: mail)?',
  'em ?client',
  'postbox',
  'evolution',
  'kmail',
  'claws ?mail',
  'sylpheed',
  'the bat!',
  'lotus-notes',
  'hcl ?notes',
  'zimbra',
  'roundcube(?: webmail)?',
];

/** Matches mail apps that open links under their own name, which `isbot` takes for a robot's because it is not a browser's. The name comes first in the user agent. */
const MAIL_APP = new RegExp(`^(?:${MAIL_APPS.join('|')})(?![\\w.])|\\bcom\\.google\\.android\\.gm\\b`, 'i');

/** Words in the user agents of robots, but not of people's programs: what they do, where to read about them, and a contact. */
const ROBOTS_WORDS = /bot(?![a-z])|crawl|spider|slurp|scan|preview|fetch|monitor|check|validat|https?:|www\.|@/i;

const isMailApp = (userAgent: string): boolean => MAIL_APP.test(userAgent) && !ROBOTS_WORDS.test(userAgent);

const isRobot = (userAgent: string): boolean =>
  IMAGE_PROXY.test(userAgent) || OTHER_ROBOT.test(userAgent) || (isbot(userAgent) && !isMailApp(userAgent));

/**
 * Returns the reason to take an open or a click for a machine's, or null for a person's (docs/tracking.md, Machines). Image proxies open
 * for people.
 */
export function machineReason(kind: HitKind, { method, headers, client = null }: HitRequest): MachineReason | null {
  if (method === 'HEAD') return 'head';
  const prefetch = PREFETCH_HEADERS.find((name) => headers[name] !== undefined);
  if (prefetch) return prefetch;
  return reasonOfAgent(kind, String(headers['user-agent'] ?? '').trim(), client);
}

function reasonOfAgent(kind: HitKind, userAgent: string, client: string | null): MachineReason | null {
  if (userAgent === '') return 'no-user-agent';
  if (userAgent === BARE_USER_AGENT) return 'bare-user-agent';
  if (kind === 'click' && isRobot(userAgent)) return 'bot';
  // An image proxy opens for a reader, wherever it is.
  return isScannerNetwork(client) && !(kind === 'open' && IMAGE_PROXY.test(userAgent)) ? 'network' : null;
}

/** Returns what requests of one message share that come from the same address with the same user agent. */
export const clientKey = (emailId: string, client: string, userAgent: string | null): string =>
  derivedId('clt', emailId, client, userAgent ?? '');

/** A hit by what it shows of its sender. */
interface ClassifiedHit {
  readonly kind: HitKind;
  readonly userAgent: string | null;
  readonly machine: MachineReason | null;
}

/** Returns the proxy through which images were loaded; null for any other open, and for clicks. */
export function imageProxyOf({ kind, userAgent, machine }: ClassifiedHit): ImageProxy | null {
  if (kind !== 'open') return null;
  if (machine === 'bare-user-agent') return 'apple';
  if (machine !== null || !IMAGE_PROXY.test(userAgent ?? '')) return null;
  return /ggpht\.com|google/i.test(userAgent ?? '') ? 'google' : /yahoo/i.test(userAgent ?? '') ? 'yahoo' : 'other';
}

/** Returns who opened or clicked. */
export const hitBy = (hit: ClassifiedHit): HitBy => (imageProxyOf(hit) !== null ? 'proxy' : hit.machine === null ? 'person' : 'machine');

/**
 * Networks in which mail is scanned and nobody reads: those from which Exchange Online Protection fetches links, of Microsoft's list of Microsoft 365 endpoints, and those of
 * Google's crawlers and image proxy, of Google's list. Apple publishes the addresses of its proxy among those of people who browse through it, so they tell nothing.
 */
const SCANNERS = [
  ['40.92.0.0', 15, 'ipv4'],
  ['40.107.0.0', 16, 'ipv4'],
  ['52.100.0.0', 14, 'ipv4'],
  ['104.47.0.0', 17, 'ipv4'],
  ['2a01:111:f400::', 48, 'ipv6'],
  ['2a01:111:f403::', 48, 'ipv6'],
  ['66.249.64.0', 19, 'ipv4'],
] as const;

const scanners = lazily(() => {
  const list = new BlockList();
  for (const [net, prefix, family] of SCANNERS) list.addSubnet(net, prefix, family);
  return list;
});

/** Returns whether a client is in a network of scanners; false for what is no address. */
function isScannerNetwork(client: string | null): boolean {
  const version = client === null ? 0 : isIP(client);
  if (version === 0) return false;
  return scanners().check(client as string, version === 6 ? 'ipv6' : 'ipv4');
}
