/** A schema of the OpenAPI document, as far as the generators of clients read it. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}
interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Rows of a page that is asked for of a list that would come whole. */
export const ROWS_OF_PAGE = 100;

interface Answer {
  readonly status: string;
  /** The schema of what a method returns: the payload, or one row of the pages; absent for texts and bytes. */
  readonly schema?: Schema;
  /** It would come whole. */
  readonly isWhole?: boolean;
  readonly unwrap: 'data' | 'json' | 'text' | 'bytes' | 'pages';
}

/** Returns what a method resolves to, and how it is taken out of the answer. */
export function answerOf({ responses }: Operation): Answer {
  const [status = '200', response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  if (response?.content['application/octet-stream']) return { status, unwrap: 'bytes' };
  const schema = response?.content['application/json']?.schema;
  return schema ? { status, ...ofJson(schema) } : { status, unwrap: 'text' };
}

const rowsIn = ({ items, properties }: Schema): Schema | undefined => items ?? properties?.['data']?.items;

function ofJson(schema: Schema): Omit<Answer, 'status'> {
  const { properties = {} } = schema;
  const data = properties['data'];
  if (!data) return { schema, unwrap: 'json' };
  const rows = 'nextCursor' in properties ? rowsIn(data) : undefined;
  if (rows) return { schema: rows, unwrap: 'pages', isWhole: schema.required?.includes('nextCursor') === false };
  return { schema: data, unwrap: 'data' };
}

/** Returns whether an operation takes an Idempotency-Key. */
export const isKeyed = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'Idempotency-Key');

/** Returns the media type that a client names for the file that an operation takes, the most general one; undefined where it takes none. */
export const fileTypeOf = ({ requestBody }: Operation): string | undefined =>
  Object.keys(requestBody?.content ?? {})
    .filter((type) => type !== 'application/json' && type !== 'multipart/form-data')
    .at(-1);

/** Returns the name of a schema that is one of the components. */
export const referred = ({ $ref }: Schema): string | undefined => $ref?.split('/').pop();

/** Returns one line about an operation. */
export const about = ({ summary, description }: Operation): string =>
  `${[summary, description].filter(Boolean).join('. ')}${description ? '' : '.'}`;
