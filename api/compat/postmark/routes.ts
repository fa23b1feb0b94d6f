import { group } from '../../http/endpoint';
import { messageRoutes } from './messages';
import { sendRoutes } from './sends';

/** The part of Postmark's API that sends and lists messages, below `/compat/postmark`. */
export const postmarkRoutes = group('Postmark', [...sendRoutes, ...messageRoutes]);
