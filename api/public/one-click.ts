import express from 'express';
import type { Request, Response as HttpResponse } from 'express';
import { parsedBy } from '../http/body';

/** The body of RFC 8058 takes 26 bytes, a few hundred as multipart/form-data. */
const BODY_LIMIT = 1_024;

const readBytes = express.raw({ limit: BODY_LIMIT, type: () => true });

/** Resolves to whether a POST is a mail client's one-click request (RFC 8058, section 3.1); what is not is the page's own form. Fails past 1 KiB. */
export async function isOneClick(req: Request, res: HttpResponse): Promise<boolean> {
  const bytes = await bodyOf(req, res);
  if (bytes.length === 0) return false;
  const given = await fieldsOf(bytes, req.get('content-type') ?? '');
  return given.get('List-Unsubscribe') === 'One-Click';
}

async function bodyOf(req: Request, res: HttpResponse): Promise<Buffer> {
  await parsedBy(readBytes, req, res);
  const body: unknown = req.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Reads the fields of a form; damaged multipart has none, so it is no one-click request. */
async function fieldsOf(bytes: Buffer, contentType: string): Promise<{ get(name: string): unknown }> {
  if (!/^multipart\/form-data\b/i.test(contentType)) return new URLSearchParams(bytes.toString('utf8').trim());
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
  } catch {
    return new URLSearchParams();
  }
}
