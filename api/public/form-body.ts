import type { Request, Response as HttpResponse } from 'express';
import express from 'express';
import { parsedBy } from '../http/body';

async function bodyOf(req: Request, res: HttpResponse, limit: number): Promise<Buffer> {
  await parsedBy(express.raw({ limit, type: () => true }), req, res);
  const body: unknown = req.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Reads the fields of a form that was posted; damaged multipart has none. Fails past `limit` bytes. */
export async function formOf(req: Request, res: HttpResponse, limit: number): Promise<URLSearchParams> {
  const bytes = await bodyOf(req, res, limit);
  const contentType = req.get('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) return new URLSearchParams(bytes.toString('utf8').trim());
  const fields = new URLSearchParams();
  try {
    const given = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
    for (const [name, value] of given) if (typeof value === 'string') fields.append(name, value);
    return fields;
  } catch {
    return new URLSearchParams();
  }
}
