import express from 'express';
import type { Request, Response as HttpResponse } from 'express';
import { parsedBy } from '../http/body';

/** The fields of a form. */
export interface FormFields {
  get(name: string): unknown;
}

/** Returns what reads the fields of a form of up to so many bytes, in either form that browsers send. Damaged multipart has none. */
function formReader(limit: number) {
  const readBytes = express.raw({ limit, type: () => true });
  return async (req: Request, res: HttpResponse): Promise<FormFields> => {
    await parsedBy(readBytes, req, res);
    const body: unknown = req.body;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    return fieldsOf(bytes, req.get('content-type') ?? '');
  };
}

/** The body of RFC 8058 takes 26 bytes, a few hundred as multipart/form-data. Fails past 1 KiB. */
export const smallFormOf = formReader(1_024);

async function fieldsOf(bytes: Buffer, contentType: string): Promise<FormFields> {
  if (!/^multipart\/form-data\b/i.test(contentType)) return new URLSearchParams(bytes.toString('utf8').trim());
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
  } catch {
    return new URLSearchParams();
  }
}
