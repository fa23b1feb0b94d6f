import type { Core } from '../../platform/core';
import { OptInModel } from './model';
import type { OptIn } from './model';

type LinkCore = { readonly config: Pick<Core['config'], 'PUBLIC_URL'>; readonly secrets: Core['secrets'] };

const PREFIX = 'opt_';
const TOKEN = /^([0-9a-z]{26})\.([0-9a-z]{28})$/;

/** Returns the text that a link's token is signed over. A link belongs to one opt-in: links of earlier ones lead nowhere. */
const signed = ({ _id, requestedAt }: Pick<OptIn, '_id' | 'requestedAt'>): string => `${_id}/${requestedAt.getTime()}`;

/** Returns the page on which an opt-in is confirmed. Tokens are signed and hold no address. */
export const confirmUrl = ({ config, secrets }: LinkCore, optIn: Pick<OptIn, '_id' | 'requestedAt'>): string =>
  `${config.PUBLIC_URL}/c/${optIn._id.slice(PREFIX.length)}.${secrets.sign('opt-in', signed(optIn))}`;

/** Resolves to the opt-in of a link; null for a token that was not signed here, is of an earlier opt-in, or has expired. */
export async function optInOfLink({ secrets }: Pick<LinkCore, 'secrets'>, token: string, now: Date): Promise<OptIn | null> {
  const [, id, signature = ''] = TOKEN.exec(token) ?? [];
  if (id === undefined) return null;
  const optIn = await OptInModel.findOne({ _id: PREFIX + id }).lean<OptIn>();
  return optIn && secrets.verify('opt-in', signed(optIn), signature) && optIn.expiresAt > now ? optIn : null;
}
