import type { Schemas } from '../../parts/api.ts';

type Shown = NonNullable<Schemas['Campaign']['feed']>;

/** The feed of a recurring campaign, as it is edited. */
export interface Feed {
  /** Empty for none. */
  readonly url: string;
  readonly minItems: string;
  readonly maxItems: string;
  readonly sort: Shown['sort'];
}

export const NO_FEED: Feed = { url: '', minItems: '1', maxItems: '10', sort: 'newest' };

export const writtenFeed = ({ url, minItems, maxItems, sort }: Shown): Feed => ({
  url,
  minItems: String(minItems),
  maxItems: String(maxItems),
  sort,
});

/** Returns the same values as the API takes them. */
export const feedBody = ({ url, minItems, maxItems, sort }: Feed): Schemas['CampaignFeed'] | null =>
  url.trim() === '' ? null : { url: url.trim(), minItems: Number(minItems), maxItems: Number(maxItems), sort };
