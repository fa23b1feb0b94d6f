import { z } from 'zod';
import { count } from './setting-kinds';

/** A bucket of a store that speaks S3, and where in it. */
interface Bucket {
  readonly name: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
}

const URL_FORM = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?(?:\?(\S*))?$/;
const FORM = 's3://bucket[/prefix][?region=...&endpoint=https://...]';

const ENDPOINT = /^https?:\/\/[^\s/?#@]+$/;

/** Reads the query of the URL; null for what it does not have. */
function placeIn(query: string): Pick<Bucket, 'region' | 'endpoint'> | null {
  const { region = 'us-east-1', endpoint = null, ...others } = Object.fromEntries(new URLSearchParams(query));
  if (Object.keys(others).length > 0 || !/^[a-z0-9-]+$/.test(region)) return null;
  return endpoint === null || ENDPOINT.test(endpoint) ? { region, endpoint } : null;
}

/** Reads the URL of a bucket; null for what is none. */
function bucketAt(url: string): Bucket | null {
  const [, name, path = '', query = ''] = URL_FORM.exec(url) ?? [];
  const place = placeIn(query);
  if (name === undefined || !place) return null;
  return { name, prefix: path.replace(/^\/+|\/+$/g, '').replace(/.$/, '$&/'), ...place };
}

const bucket = z.string().transform((url, ctx) => {
  const found = bucketAt(url);
  if (!found) ctx.addIssue({ code: 'custom', message: `must be ${FORM}` });
  return found ?? z.NEVER;
});

const key = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
  .optional();

/** Settings of the pictures of mail. */
export const fileSettings = {
  FILES_URL: bucket.optional().describe(`bucket for pictures, ${FORM}; default MongoDB`),
  FILES_ACCESS_KEY_ID: key.describe('key id for FILES_URL'),
  FILES_SECRET_ACCESS_KEY: key.describe('its secret'),
  MAX_FILE_BYTES: count(1_073_741_824, 1).describe('bytes of the pictures of a project'),
};

type Given = Readonly<{
  FILES_URL?: Bucket | undefined;
  FILES_ACCESS_KEY_ID?: string | undefined;
  FILES_SECRET_ACCESS_KEY?: string | undefined;
}>;

/** Returns what one of these settings needs of another; null where nothing is missing. */
export function filesFault({ FILES_URL: url, FILES_ACCESS_KEY_ID: id, FILES_SECRET_ACCESS_KEY: secret }: Given): string | null {
  const hasKeys = id !== undefined && secret !== undefined;
  if (url && !hasKeys) return 'FILES_URL needs FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY';
  return !url && (id ?? secret) !== undefined ? 'FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY need FILES_URL' : null;
}
