// Apart from `webhooks.ts`: programs without the types of a browser read the declarations of that file.

/** Resolves to the key of an endpoint's signatures: the whole secret. */
export const hmacKey = (secret: string, usage: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
