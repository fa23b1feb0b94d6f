import type { Response } from 'express';
import { stateOf } from '../http/state';

const policyOf = (directives: readonly string[]): string => directives.join('; ');

/** Policy of the console's own page: everything from this origin, no inline script or style, and no frame. */
const CONSOLE = policyOf([
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]);

/**
 * Returns the policy of a message that is shown within a page of the console: its own styles, and images that it contains. It allows no
 * script, no form and no access to this origin.
 */
const messageOf = (images: string): string =>
  policyOf([
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${images}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ]);

/** Policy for mail that was sent or received: remote images would count as an open, and reveal to the sender who looks. */
const MESSAGE = messageOf('data:');

/**
 * Returns the policy of a preview: it has no pixel yet, and its author wants to see the pictures, including those that this API serves without
 * TLS.
 */
const previewOf = (publicUrl: string): string => messageOf(`data: https: ${new URL(publicUrl).origin}`);

/** Under `no-referrer` a browser would name no origin when a form is sent, and the frame's would be refused (Fetch standard, 3.2). */
const COMMON = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin', 'Cross-Origin-Resource-Policy': 'same-origin' };

/** Says what the console's page may do. */
export const consolePolicy = (res: Response): void => {
  res.set({ ...COMMON, 'Content-Security-Policy': CONSOLE, 'Cross-Origin-Opener-Policy': 'same-origin' });
};

/** Says what a message within it may do; a preview may load pictures. */
export const messagePolicy = (res: Response, pictures: boolean): void => {
  res.set({ ...COMMON, 'Content-Security-Policy': pictures ? previewOf(stateOf(res).publicUrl) : MESSAGE, 'Cache-Control': 'no-store' });
};
