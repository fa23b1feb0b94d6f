import { group } from '../../http/endpoint';
import { broadcastRoutes } from './broadcasts';
import { contactRoutes, propertyRoutes } from './contacts';
import { domainRoutes } from './domains';
import { emailRoutes } from './emails';
import { absentRoutes, eventRoutes } from './events';
import { keyRoutes } from './keys';
import { receivingRoutes } from './receiving';
import { segmentRoutes, topicRoutes } from './segments';
import { sendRoutes } from './sends';
import { suppressionRoutes } from './suppressions';
import { templateRoutes } from './templates';
import { webhookRoutes } from './webhooks';

/** Resend's API below `/compat/resend`. */
export const resendRoutes = group('Resend', [
  ...sendRoutes,
  ...receivingRoutes,
  ...emailRoutes,
  ...broadcastRoutes,
  ...contactRoutes,
  ...propertyRoutes,
  ...segmentRoutes,
  ...topicRoutes,
  ...templateRoutes,
  ...domainRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...suppressionRoutes,
  ...absentRoutes,
]);
