import { createHmac } from 'node:crypto';
import type { Received } from '../servers/webhooks';

/** Checks a signature like a receiver that knows only the documentation. */
export function isSigned({ headers, raw }: Received, secret: string): { readonly stripe: boolean; readonly standard: boolean } {
  const [time = '', ...signatures] = String(headers['x-service-signature']).split(',');
  const hex = createHmac('sha256', secret)
    .update(`${time.slice(2)}.`)
    .update(raw)
    .digest('hex');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const id = String(headers['webhook-id']);
  const base64 = createHmac('sha256', key)
    .update(`${id}.${String(headers['webhook-timestamp'])}.`)
    .update(raw)
    .digest('base64');
  const isFresh = Math.abs(Date.now() / 1_000 - Number(time.slice(2))) < 300 && `t=${String(headers['webhook-timestamp'])}` === time;
  return {
    stripe: isFresh && signatures.includes(`v1=${hex}`),
    standard: isFresh && String(headers['webhook-signature']).split(' ').includes(`v1,${base64}`),
  };
}
