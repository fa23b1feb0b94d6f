import type { Dialect } from '../http/state';
import type { Endpoint } from '../http/endpoint';
import { postmarkDialect } from './postmark/dialect';
import { postmarkRoutes } from './postmark/routes';
import { resendDialect } from './resend/dialect';
import { resendRoutes } from './resend/routes';

const DIALECTS: readonly Dialect[] = [resendDialect, postmarkDialect];

/** Returns the other service whose API a path belongs to; null for ours. */
export const dialectOf = (path: string): Dialect | null => DIALECTS.find(({ prefix }) => path.startsWith(`${prefix}/`)) ?? null;

/** APIs of other services, so that their clients send through this platform. They are not in the OpenAPI document. */
export const compatRoutes: readonly Endpoint[] = [...resendRoutes, ...postmarkRoutes];
