import type { DetailCode } from '../../platform/core';

const MAX_KEYS = 200;
const MAX_BYTES = 32_768;
/** The BSON library takes an object with this key for one of its own types. */
const FOREIGN_KEY = '_bsontype';

type Data = Readonly<Record<string, unknown>>;

interface DataFault {
  readonly code: DetailCode;
  readonly message: string;
}

/** Returns why a contact cannot have these custom fields, all together, or null (docs/errors.md, Limits on text). */
export function dataFault(data: Data | null): DataFault | null {
  if (data === null) return null;
  if (Object.keys(data).length > MAX_KEYS) return { code: 'too_big', message: `A contact has at most ${MAX_KEYS} fields` };
  const json = JSON.stringify(data);
  if (Buffer.byteLength(json) > MAX_BYTES)
    return { code: 'too_big', message: `A contact has at most ${MAX_BYTES} bytes of JSON in its fields` };
  if (json.includes(`"${FOREIGN_KEY}"`) && hasForeignKey(data))
    return { code: 'reserved_name', message: `The key ${FOREIGN_KEY} is reserved` };
  return null;
}

const hasForeignKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, FOREIGN_KEY) || Object.values(value).some((inner) => hasForeignKey(inner)));
