import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Context, Core, ErrorCode, ErrorDetail, PageRequest, Position, Rows } from '../../src/platform/core';
import type { Idempotency } from './idempotency';

type Shape = z.ZodType | undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

/** `secret`: secret or test keys; `any`: public keys too; `none`: no key is needed. */
export type Auth = 'secret' | 'any' | 'none';
/**
 * `cursor`: `{success, data: [...], nextCursor}`; `inner`: `{success, data: {data: [...], nextCursor}, nextCursor}`; `whole`: all rows in
 * `{success, data: {data: [...]}}`, or, where a limit or a cursor is given, a page as of `inner`.
 */
export type List = 'cursor' | 'inner' | 'whole';
export type Status = 200 | 201 | 202;

/** What a handler is given. `params`, `query` and `body` have passed the endpoint's schemas. */
interface Call<P = unknown, Q = unknown, B = unknown, A extends Auth | undefined = Auth> {
  readonly ctx: A extends 'none' ? null : Context;
  /** As `ctx.core`, also for operations without a key. */
  readonly core: Core;
  readonly params: Out<P>;
  readonly query: Out<Q>;
  readonly body: Out<B>;
  /** Where a list is to go on; of no meaning elsewhere. */
  readonly page: PageRequest;
  /** The caller's `Idempotency-Key`, on `idempotent` endpoints. */
  readonly idempotency: Idempotency | null;
  /** The bytes of a `raw` body; fails with `payload_too_large` past the endpoint's limit. Null elsewhere. */
  readonly stream: Readable | null;
  readonly incoming: IncomingMessage;
}

/** What an operation has done, for the audit. */
interface Done<P, B, R extends z.ZodType> {
  readonly ctx: Context;
  readonly params: Out<P>;
  readonly body: Out<B>;
  readonly data: z.input<R>;
  readonly status: Status;
}

/** What was done to what kind of thing, and which; null of the one that the project has. */
export type Audited = readonly [action: `${string}.${string}`, subject: string | null];

export interface Page<T> {
  readonly rows: readonly T[];
  /** The position of the last row when there are more. */
  readonly next: Position | null;
}

/** An answer with a status or headers of its own. */
export class Reply<T> {
  constructor(
    readonly status: Status,
    readonly data: T,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** Makes an answer with a status, and perhaps headers, that the handler chooses. */
export const reply = <T>(status: Status, data: T, headers?: Readonly<Record<string, string>>): Reply<T> => new Reply(status, data, headers);

/** An answer without envelope, piped as it is made. */
export class Streamed {
  constructor(
    readonly stream: Readable,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

type Data<R, L> = R extends z.ZodType
  ? L extends 'cursor' | 'inner'
    ? Page<z.input<R>>
    : L extends 'whole'
      ? Rows<z.input<R>>
      : z.input<R>
  : never;
type Answer<R, L> = Data<R, L> | Reply<Data<R, L>> | Streamed;

/** An operation of the API: its path, its schemas and what it does. */
export interface Endpoint<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends z.ZodType = z.ZodType,
  L extends List | undefined = List | undefined,
  A extends Auth | undefined = Auth | undefined,
> {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** OpenAPI form: /v1/campaigns/{id} */
  readonly path: `/v1/${string}` | `/api/${string}` | '/livez' | '/readyz';
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Default `secret`. */
  readonly auth?: A;
  /** Open also to keys that may only send. */
  readonly sending?: boolean;
  /** Default 200. */
  readonly status?: Status;
  /** Answers a success also where there is nothing of what the path names. */
  readonly neverMissing?: boolean;
  /** Answers 200 with the same payload where nothing new was made. */
  readonly mayBeThere?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** What of `body` a public key may give. */
  readonly publicBody?: z.ZodType<Out<B>>;
  /** Bytes; default 4 MiB for templates, campaigns and automations, 1 MiB elsewhere. */
  readonly bodyLimit?: number;
  /** The member of the body that is kept as its text: it is a `RawJson` when it is a text, a list or an object. */
  readonly verbatim?: string;
  /** How long the caller waits at most, in milliseconds; default 30,000. */
  readonly answerMs?: number;
  /** Media types of a body that the handler reads as a stream. */
  readonly raw?: readonly string[];
  /** Of the payload; of one row where `list` is set. */
  readonly response: R;
  readonly list?: L;
  /** Of a `whole` list whose rows move in their order: the order within an answer, while answers follow each other in one that stays. */
  arrange?(this: void, a: z.input<R>, b: z.input<R>): number;
  /** Media type of an answer that is not JSON. */
  readonly produces?: string;
  /** No envelope. */
  readonly bare?: boolean;
  /** The handler vouches for the answer: it is not parsed again on the way out. */
  readonly trusted?: boolean;
  /**
   * Finds rows by their keys alone, and is called more often than all other operations: it is served outside of a request's scope, which is costly, and each of
   * its queries is limited to the time of a whole request (docs/decisions/0069).
   */
  readonly byKeys?: boolean;
  /** Has a rate limit of its own: takes nothing from the bucket of the key. */
  readonly ownRate?: boolean;
  /** Takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /**
   * What the handler would refuse besides, of a body as it came. Asked when the body is refused anyhow, so that one answer names it all, and where the path
   * names a resource: a wrong body is reported before a resource that is missing, or not in the state.
   */
  readonly furtherFaults?: (body: unknown) => readonly ErrorDetail[];
  /** The stored answer to the same key and body. Asked when the body is refused, which was good once: its date may have passed since. */
  replay?(ctx: Context, idempotency: Idempotency): Promise<Answer<R, L> | null>;
  /** What its author should know of a request that was carried out, a sentence each: they come in a header. */
  warn?(this: void, ctx: Context, body: Out<B>): readonly string[] | Promise<readonly string[]>;
  /** Not one of the 92. */
  readonly extension?: boolean;
  /** Any web page may call it. */
  readonly cors?: boolean;
  /** What the audit says of it once it is done; null when nothing was changed. Operations that change no configuration have none. */
  audit?(this: void, done: Done<P, B, R>): Audited | null;
  /** Failures beyond those that follow from the declaration, for the reference. */
  readonly errors?: readonly ErrorCode[];
  /** Without it the operation answers 501 `not_implemented`. */
  handle?(call: Call<P, Q, B, A>): Promise<Answer<R, L>>;
}

/** Infers the handler's types from the schemas, then erases them so that endpoints can sit in one list. */
export const endpoint = <
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  R extends z.ZodType = z.ZodType,
  L extends List | undefined = undefined,
  A extends Auth | undefined = undefined,
>(
  declaration: Endpoint<P, Q, B, R, L, A>,
): Endpoint => declaration;
