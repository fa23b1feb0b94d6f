import type { Request, Response } from 'express';
import type { z } from 'zod';
import { AppError } from '../../src/platform/core';
import { jsonReader } from '../http/body';

/** Resolves to the body of a request. Throws `validation_error`, with `fault`, for one of another form. */
type ReadGiven = <T>(schema: z.ZodType<T>, fault: string, req: Request, res: Response) => Promise<T>;

/** Returns what reads bodies of at most this many bytes. */
export function givenReader(limit: number): ReadGiven {
  const read = jsonReader(limit);
  return async (schema, fault, req, res) => {
    const given = schema.safeParse(await read(req, res));
    if (!given.success) throw new AppError('validation_error', fault);
    return given.data;
  };
}
