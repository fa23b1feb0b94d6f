import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Context, Core, ErrorCode, ErrorDetail, PageRequest, Rows } from '../../src/platform/core';
import type { Grant } from '../../src/records/projects';
import type { Page, Reply, Status, Streamed } from './answers';
import type { Idempotency } from './idempotency';

type Shape = z.ZodType | undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

/**
 * `none`: no key is needed; `sending`: keys that may only send open it too; `any`: keys of every scope; `managers`: keys of the scope `full`, owners and admins.
 * Default: secret and test keys of the scopes `full` and, for GET, `read`.
 */
type Access = 'none' | 'sending' | 'any' | 'managers' | undefined;
/**
 * `cursor`: `{success, data: [...], nextCursor}`; `inner`: `{success, data: {data: [...], nextCursor}, nextCursor}`; `whole`: all rows in
 * `{success, data: {data: [...]}}`, or, where a limit or a cursor is given, a page as of `inner`.
 */
export type List = 'cursor' | 'inner' | 'whole';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Path = `/v1/${string}` | `/api/${string}` | `/compat/${string}` | '/mcp' | '/livez' | '/readyz';
/** A method and a path in OpenAPI's form: `GET /v1/campaigns/{id}`. */
type Route = `${Uppercase<Method>} ${Path}`;

/** The argument of a handler. `params`, `query` and `body` have passed the endpoint's schemas. */
interface Call<P = unknown, Q = unknown, B = unknown, A extends Access = Access> {
  readonly ctx: A extends 'none' ? null : Context;
  /** The caller's name in the audit; null without a key. */
  readonly by: string | null;
  /** The scope of the caller's key, or the person's role; null without a key, and where it has none. */
  readonly scope: Grant | null;
  /** The same as `ctx.core`, also for operations without a key. */
  readonly core: Core;
  readonly params: Out<P>;
  readonly query: Out<Q>;
  readonly body: Out<B>;
  /** Position at which a list continues; has no meaning for other operations. */
  readonly page: PageRequest;
  /** The caller's `Idempotency-Key`, on `idempotent` endpoints. */
  readonly idempotency: Idempotency | null;
  /** The bytes of an upload; fails with `payload_too_large` past the endpoint's limit. Null elsewhere. */
  readonly stream: Readable | null;
  readonly incoming: IncomingMessage;
}

/** An operation that was carried out, for the audit. */
interface Done<P, B, R extends z.ZodType> {
  readonly ctx: Context;
  readonly params: Out<P>;
  readonly body: Out<B>;
  readonly data: z.input<R>;
  readonly status: Status;
}

/** The action, the id of its subject (null where a project has only one), and the reason that the caller gave. */
export type Audited = readonly [action: `${string}.${string}`, subject: string | null, reason?: string];

/** The parts of a request, and what is said of them beyond their schemas. */
interface Parts<P extends Shape, Q extends Shape, B extends Shape> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Opens the operation to public keys, with this body, and to any web page (CORS). */
  readonly publicBody?: z.ZodType<Out<B>>;
  /** The member of the body, and of each of its `variants`, that is kept as its text: it is a `RawJson` when it is a text, a list or an object. */
  readonly verbatim?: string;
  /** The answer is a success also where there is nothing of what the path names. */
  readonly neverMissing?: boolean;
  /**
   * Finds further faults in the raw body. Asked when the body is refused anyway, so that one answer names every fault, and where the path names a resource: a
   * wrong body is reported before a resource that is missing, or not in the state.
   */
  readonly furtherFaults?: (body: unknown) => readonly ErrorDetail[];
  /** Warns the author of a request that was carried out, a sentence each, in a header. */
  warn?(this: void, ctx: Context, body: Out<B>, params: Out<P>): readonly string[] | Promise<readonly string[]>;
}

/** Limits of an operation for time, size and rate. */
interface Limits {
  /** Bytes of the body; default 4 MiB for templates, campaigns and automations, 1 MiB elsewhere. */
  readonly bodyBytes?: number;
  /** Time limit for the answer in milliseconds; default 30,000. */
  readonly answerMs?: number;
  /** Takes nothing from the bucket of the key: the handler has a rate limit of its own. */
  readonly ownRate?: boolean;
  /**
   * Finds rows by their keys alone and is called more often than all other operations. It is served without a request's scope, which is costly (each of its
   * queries may take the time of a whole request, docs/decisions/0069), and its answer is not parsed on the way out.
   */
  readonly hot?: boolean;
}

type Answer<D> = D | Reply<D> | Streamed;

/** An operation with a JSON body, or none, and a JSON answer in the envelope `{success, data}`. */
interface Operation<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends z.ZodType = z.ZodType,
  A extends Access = Access,
  D = z.input<R>,
> {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly access?: A;
  readonly request?: Parts<P, Q, B>;
  /** Default 200. A list has the status for something new, for something that existed, and for something that is still pending. */
  readonly status?: Status | readonly [made: 201, found: 200] | readonly [made: 201, found: 200, pending: 202];
  /** Schema of the payload; in a list, of one row. */
  readonly response: R;
  /** The media type of the answer where the request asks for another format, which is sent while it is made. */
  readonly streams?: string;
  readonly limits?: Limits;
  /**
   * Takes an `Idempotency-Key`. `replay` finds the stored answer to the same key and body; it is asked when the body is refused, which was good once: its date
   * may have passed since.
   */
  readonly idempotent?: true | { replay(ctx: Context, idempotency: Idempotency): Promise<Answer<D> | null> };
  /**
   * Returns the entry for the audit after the operation; null if nothing was changed. Operations that change no configuration have none.
   */
  audit?(this: void, done: Done<P, B, R>): Audited | null;
  /** Failures beyond those that follow from the declaration, for the reference. */
  readonly errors?: readonly ErrorCode[];
  // Without it the operation answers 501 `not_implemented`.
  handle?(call: Call<P, Q, B, A>): Answer<D> | Promise<Answer<D>>;
}

type Described = 'operationId' | 'summary' | 'description' | 'access' | 'request' | 'response' | 'errors' | 'handle';

/** A GET of many. */
interface ListOperation<P extends Shape, Q extends Shape, R extends z.ZodType, L extends List> extends Pick<
  Operation<P, Q, undefined, R, 'sending' | 'managers' | undefined, L extends 'whole' ? Rows<z.input<R>> : Page<z.input<R>>>,
  Described
> {
  readonly list: L;
  /** Sorts the rows within one answer of a `whole` list. Pages follow each other by another key, which does not change. */
  arrange?(this: void, a: z.input<R>, b: z.input<R>): number;
}

/** An answer that is sent while it is made. */
interface StreamOperation<P extends Shape, Q extends Shape, R extends z.ZodType> extends Pick<
  Operation<P, Q, undefined, R, undefined>,
  Described
> {
  /** The media type of the answer. */
  readonly produces: string;
}

/** A body that the handler reads as a stream. */
interface UploadOperation<Q extends Shape, R extends z.ZodType, A extends Access> extends Pick<
  Operation<undefined, Q, undefined, R, A>,
  Described | 'status' | 'limits' | 'idempotent' | 'audit'
> {
  /** The media types of the body. */
  readonly takes: readonly string[];
}

/** The form of the body and the answer, where that is not JSON in an envelope. */
interface Form {
  readonly list?: List;
  arrange?(this: void, a: unknown, b: unknown): number;
  readonly produces?: string;
  readonly takes?: readonly string[];
  /** No envelope. */
  readonly bare?: true;
  /** The header that holds the key, in small letters, where it is neither `Authorization` nor `X-API-Key`. */
  readonly keyHeader?: string;
}

/** An operation of the API as it is served and described, of any kind. */
export interface Endpoint extends Operation {
  readonly method: Method;
  readonly path: Path;
  readonly form: Form;
  readonly tag: string;
  /** Added by this implementation (`x-extension`). */
  readonly extension?: true;
}

/** An operation that is in no group yet. */
export type Ungrouped = Omit<Endpoint, 'tag'>;

function declared(route: Route, operation: Operation, form: Form): Ungrouped {
  const [method, path] = route.split(' ') as [Uppercase<Method>, Path];
  return { ...operation, method: method.toLowerCase() as Method, path, form };
}

/** Declares a JSON operation. The handler's types follow from the schemas; they are erased then, so that all kinds can be in one list. */
export const endpoint = <
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  R extends z.ZodType = z.ZodType,
  A extends Access = undefined,
>(
  route: Route,
  operation: Operation<P, Q, B, R, A>,
): Ungrouped => declared(route, operation, {});

/** Declares an operation without a key that answers JSON without the envelope. */
export const bareEndpoint = <R extends z.ZodType>(
  route: Route,
  operation: Operation<undefined, undefined, undefined, R, 'none'>,
): Ungrouped => declared(route, { ...operation, access: 'none' }, { bare: true });

/** Declares an operation of another service's API: its bodies and answers are that API's. */
export const foreignEndpoint = <P extends Shape, Q extends Shape, B extends Shape>(
  route: Route,
  { keyHeader, ...operation }: Operation<P, Q, B, z.ZodUnknown> & Pick<Form, 'keyHeader'>,
): Ungrouped => declared(route, operation, { bare: true, ...(keyHeader !== undefined && { keyHeader }) });

/** Declares a list, in pages or whole. */
export const listEndpoint = <L extends List, R extends z.ZodType, P extends Shape = undefined, Q extends Shape = undefined>(
  route: Route,
  { list, arrange, ...operation }: ListOperation<P, Q, R, L>,
): Ungrouped => declared(route, operation, { list, ...(arrange && { arrange }) });

/** Declares an operation whose handler answers with a stream. */
export const streamEndpoint = <R extends z.ZodType, P extends Shape = undefined, Q extends Shape = undefined>(
  route: Route,
  { produces, ...operation }: StreamOperation<P, Q, R>,
): Ungrouped => declared(route, operation, { produces });

/** Declares an operation whose handler reads the body as a stream. */
export const uploadEndpoint = <R extends z.ZodType, Q extends Shape = undefined, A extends Access = undefined>(
  route: Route,
  { takes, ...operation }: UploadOperation<Q, R, A>,
): Ungrouped => declared(route, operation, { takes });

/** Returns the status of a success that its handler says nothing of. */
export const statusOf = ({ status = 200 }: Pick<Endpoint, 'status'>): Status => (typeof status === 'number' ? status : status[0]);

/** Puts endpoints into a group of the reference. */
export const group = (tag: string, endpoints: readonly Ungrouped[]): readonly Endpoint[] => endpoints.map((each) => ({ ...each, tag }));

/** Groups operations that this implementation adds to what the API promises: their descriptions begin by saying so. */
export const extensions = (tag: string, endpoints: readonly Ungrouped[]): readonly Endpoint[] =>
  group(
    tag,
    endpoints.map(({ description, ...each }) => ({
      ...each,
      description: ['An extension of this implementation.', description].filter(Boolean).join(' '),
    })),
  );
