import { approvalExtensions } from './approvals/routes';
import { auditExtensions } from './audit/routes';
import { automationExtensions, automationRoutes } from './automations/routes';
import { billingRoutes } from './billing/routes';
import { savedBlockExtensions } from './blocks/routes';
import { campaignExtensions, campaignRoutes } from './campaigns/routes';
import { certificateExtensions } from './certificates/routes';
import { consentExtensions } from './consent/routes';
import { contactExtensions, contactRoutes } from './contacts/routes';
import { deliverabilityExtensions } from './deliverability/routes';
import { domainReportExtensions } from './domain-reports/routes';
import { domainExtensions, domainRoutes } from './domains/routes';
import { emailExtensions, emailRoutes } from './emails/routes';
import { eventExtensions, eventRoutes } from './events/routes';
import { fileExtensions } from './files/routes';
import { formExtensions } from './forms/routes';
import type { Endpoint } from './http/endpoint';
import { inboundExtensions, inboundRoutes } from './inbound/routes';
import { keyExtensions } from './keys/routes';
import { ownExtensions, memberExtensions } from './members/routes';
import { metaRoutes, probeRoutes } from './meta/routes';
import type { MetaDeps, Probe } from './meta/routes';
import { checkoutRoutes, notificationRoutes } from './payments/routes';
import { segmentExtensions, segmentRoutes } from './segments/routes';
import { sendRoutes } from './send/routes';
import { settingsExtensions } from './settings/routes';
import { smtpSessionExtensions } from './smtp-sessions/routes';
import { statsRoutes } from './stats/routes';
import { suppressionExtensions, suppressionRoutes } from './suppressions/routes';
import { templateExtensions, templateRoutes } from './templates/routes';
import { topicExtensions } from './topics/routes';
import { translationExtensions } from './translations/routes';
import { upcomingExtensions } from './upcoming/routes';
import { verifyRoutes } from './verify/routes';
import { webhookExtensions, webhookRoutes } from './webhooks/routes';
import { whyExtensions } from './why/routes';

/** Returns the 92 operations under /v1, group by group. */
export const rooms = (meta: MetaDeps): readonly Endpoint[] => [
  ...sendRoutes,
  ...eventRoutes,
  ...contactRoutes,
  ...emailRoutes,
  ...templateRoutes,
  ...domainRoutes,
  ...segmentRoutes,
  ...campaignRoutes,
  ...automationRoutes,
  ...webhookRoutes,
  ...suppressionRoutes,
  ...statsRoutes,
  ...verifyRoutes,
  ...billingRoutes,
  ...inboundRoutes,
  ...metaRoutes(meta),
];

/** Marks the operations that this implementation adds, also in the OpenAPI document. */
export const extensions = (probe: Probe): readonly Endpoint[] =>
  [
    ...approvalExtensions,
    ...auditExtensions,
    ...automationExtensions,
    ...checkoutRoutes,
    ...campaignExtensions,
    ...certificateExtensions,
    ...consentExtensions,
    ...contactExtensions,
    ...deliverabilityExtensions,
    ...domainExtensions,
    ...domainReportExtensions,
    ...emailExtensions,
    ...eventExtensions,
    ...fileExtensions,
    ...formExtensions,
    ...inboundExtensions,
    ...keyExtensions,
    ...memberExtensions,
    ...ownExtensions,
    ...savedBlockExtensions,
    ...segmentExtensions,
    ...settingsExtensions,
    ...smtpSessionExtensions,
    ...suppressionExtensions,
    ...templateExtensions,
    ...topicExtensions,
    ...translationExtensions,
    ...upcomingExtensions,
    ...webhookExtensions,
    ...whyExtensions,
    ...probeRoutes(probe),
  ].map((endpoint) => ({ ...endpoint, extension: true }));

/** Endpoints outside the API: notifications of the payment provider. */
export const otherEndpoints: readonly Endpoint[] = notificationRoutes;
