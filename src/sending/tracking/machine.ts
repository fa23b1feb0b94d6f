import { isbot } from 'isbot';

export type HitKind = 'open' | 'click';

/** Why a hit is not taken for a person's. */
export type MachineReason = 'head' | 'purpose' | 'sec-purpose' | 'x-moz' | 'no-user-agent' | 'bare-user-agent' | 'bot';

/** The parts of a request by which a person and a machine differ. */
export interface HitRequest {
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sent by browsers and proxies that fetch what no person has asked for yet. */
const PREFETCH_HEADERS = ['purpose', 'sec-purpose', 'x-moz'] as const;

/** What Apple's mail privacy proxy and several scanners call themselves. */
const BARE_USER_AGENT = 'Mozilla/5.0';

const IMAGE_PROXY = /ggpht\.com|image[ -]?proxy|mail[ -]?proxy/i;

/** Mail apps that open links under their own name, which `isbot` takes for a robot's because it is not a browser's. */
const MAIL_APP = new RegExp(
  [
    ...['outlook', 'ms-?office', 'windows ?mail', 'thunderbird', 'apple ?mail', '^mail/', 'airmail', 'gmail', 'android\\.gm'],
    ...['yahoo(%20| )?mail', 'yahoomobilemail', 'samsung ?email', 'proton ?mail', 'fastmail', 'tutanota', 'zoho ?mail', 'hey/'],
    ...['k-9', 'fairemail', 'aqua ?mail', 'blue ?mail', 'mailspring', 'mimestream', 'superhuman', 'spark/', 'spike', 'edison', 'canary'],
    ...[
      'em ?client',
      'postbox',
      'evolution/',
      'kmail',
      'claws ?mail',
      'sylpheed',
      'the bat!',
      'lotus-notes',
      'hcl ?notes',
      'zimbra',
      'roundcube',
    ],
  ].join('|'),
  'i',
);

const isRobot = (userAgent: string): boolean => isbot(userAgent) && !IMAGE_PROXY.test(userAgent) && !MAIL_APP.test(userAgent);

/** The reason to take an open or a click for a machine's, or null for a person's (docs/tracking.md, Machines). Image proxies open for people. */
export function machineReason(kind: HitKind, { method, headers }: HitRequest): MachineReason | null {
  if (method === 'HEAD') return 'head';
  const prefetch = PREFETCH_HEADERS.find((name) => headers[name] !== undefined);
  if (prefetch) return prefetch;
  const userAgent = String(headers['user-agent'] ?? '').trim();
  if (userAgent === '') return 'no-user-agent';
  if (userAgent === BARE_USER_AGENT) return 'bare-user-agent';
  return kind === 'click' && isRobot(userAgent) ? 'bot' : null;
}
