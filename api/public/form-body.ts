import express from 'express';
import type { Request, Response as HttpResponse } from 'express';
import { invalid } from '../../src/platform/core';
import { parsedBy } from '../http/body';

/** The fields of a form. */
export interface FormFields extends Iterable<[string, unknown]> {
  get(name: string): unknown;
}

interface Given {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Returns a function that reads a body of up to `limit` bytes. */
function bytesReader(limit: number) {
  const read = express.raw({ limit, type: () => true });
  return async (req: Request, res: HttpResponse): Promise<Given> => {
    await parsedBy(read, req, res);
    const body: unknown = req.body;
    return { bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0), contentType: req.get('content-type') ?? '' };
  };
}

/** The body of RFC 8058 takes 26 bytes, a few hundred as multipart/form-data. */
const readSmall = bytesReader(1_024);
const readAnswers = bytesReader(65_536);

/** Reads the fields of a form, in either form that browsers send; damaged multipart has none. Fails past 1 KiB. */
export const smallFormOf = async (req: Request, res: HttpResponse): Promise<FormFields> => fieldsOf(await readSmall(req, res));

/** Reads the answers to a form; damaged multipart has none, and files are left out. Fails past 64 KiB. */
export async function formOf(req: Request, res: HttpResponse): Promise<URLSearchParams> {
  const form = await fieldsOf(await readAnswers(req, res));
  return new URLSearchParams([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : [])));
}

async function fieldsOf({ bytes, contentType }: Given): Promise<FormFields> {
  if (!/^multipart\/form-data\b/i.test(contentType)) return new URLSearchParams(bytes.toString('utf8').trim());
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
  } catch {
    return new URLSearchParams();
  }
}

/** Reads the members of what was sent to a form, each as text: a form, or JSON. Throws 422 `invalid_json` for damaged JSON, and `payload_too_large` past 64 KiB. */
export async function membersOf(req: Request, res: HttpResponse): Promise<ReadonlyMap<string, string>> {
  const given = await readAnswers(req, res);
  if (/^application\/json\b/i.test(given.contentType)) return jsonMembers(given.bytes.toString('utf8'));
  const form = await fieldsOf(given);
  return new Map([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}

function jsonMembers(text: string): ReadonlyMap<string, string> {
  const given = parsedJson(text);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalid('', 'invalid_type', 'The body must be an object');
  return new Map(
    Object.entries(given).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)] as const] : [],
    ),
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('', 'invalid_json', 'The body is not JSON');
  }
}
