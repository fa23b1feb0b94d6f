import { ACCOUNT } from './account/index.ts';
import { APPROVALS } from './approvals/index.ts';
import { AUDIT } from './audit/index.ts';
import { AUTOMATIONS } from './automations/index.ts';
import { BILLING } from './billing/index.ts';
import { CAMPAIGNS } from './campaigns/index.ts';
import { CONTACTS } from './contacts/index.ts';
import { DELIVERABILITY } from './deliverability/index.ts';
import { DOMAINS } from './domains/index.ts';
import { EVENTS } from './events/index.ts';
import { FILES } from './files/index.ts';
import { FORMS } from './forms/index.ts';
import { INBOUND } from './inbound/index.ts';
import { KEYS } from './keys/index.ts';
import { MAIL } from './mail/index.ts';
import { MOVING } from './moving/index.ts';
import { SEGMENTS } from './segments/index.ts';
import { SETTINGS } from './settings/index.ts';
import { SMTP } from './smtp/index.ts';
import { SUPPRESSIONS } from './suppressions/index.ts';
import { TEMPLATES } from './templates/index.ts';
import { TODAY } from './today/index.ts';
import { TOPICS } from './topics/index.ts';
import { TRANSLATIONS } from './translations/index.ts';
import { WEBHOOKS } from './webhooks/index.ts';
import type { Screen } from '../shell/screen.ts';

/** Every screen, each in the folder of what it shows; the navigation has them in this order. */
export const SCREENS: readonly Screen[] = [
  ...TODAY,
  ...MAIL,
  ...INBOUND,
  ...DELIVERABILITY,
  ...APPROVALS,
  ...CONTACTS,
  ...EVENTS,
  ...SEGMENTS,
  ...TOPICS,
  ...FORMS,
  ...SUPPRESSIONS,
  ...CAMPAIGNS,
  ...AUTOMATIONS,
  ...TEMPLATES,
  ...FILES,
  ...TRANSLATIONS,
  ...DOMAINS,
  ...WEBHOOKS,
  ...SMTP,
  ...KEYS,
  ...MOVING,
  ...BILLING,
  ...SETTINGS,
  ...AUDIT,
  ...ACCOUNT,
];
