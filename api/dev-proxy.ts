import { request } from 'node:http';
import { pipeline } from 'node:stream';
import { Router } from 'express';
import type { Router as RouterType } from 'express';
import { isOwnHost } from '../src/platform/addresses';
import { AppError } from '../src/platform/core';
import { unavailable } from './http/errors';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Hands what is asked under /dev to the development inbox, path and query as they are. A page of the web whose name was pointed at this machine gets nothing. */
export function devProxy(inboxUrl: string, publicUrl: string): RouterType {
  const { hostname, port } = new URL(inboxUrl);
  const router = Router();
  router.use((req, res, next) => {
    if (!isOwnHost(req.headers.host, publicUrl))
      throw new AppError('forbidden', 'The development inbox is shown at localhost and at PUBLIC_URL');
    if (!METHODS.has(req.method)) throw new AppError('method_not_allowed', 'Only GET', [], { headers: { Allow: 'GET, HEAD' } });
    const upstream = request({
      hostname,
      port,
      method: req.method,
      path: req.originalUrl,
      headers: { accept: req.headers.accept ?? '*/*' },
    });
    upstream.on('response', (answer) => {
      const { 'content-type': type = 'text/plain', 'content-security-policy': policy } = answer.headers;
      res.status(answer.statusCode ?? 502).set({ 'Content-Type': type, 'Cache-Control': 'no-store' });
      if (policy !== undefined) res.set('Content-Security-Policy', policy);
      pipeline(answer, res, () => undefined);
    });
    upstream.on('error', (error) => next(unavailable('The development inbox is not running', error)));
    upstream.end();
  });
  return router;
}
