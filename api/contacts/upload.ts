import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { BusboyHeaders } from '@fastify/busboy';
import { AppError, invalid } from '../../src/platform/core';
import type { DetailCode, ErrorDetail } from '../../src/platform/core';

const MAX_PARTS = 10;

/** Returns the bytes of the CSV file in a request: the body itself, or the part `file` of a form (RFC 7578). Reading it fails with 422 if that part does not exist. */
export function uploadedFile(incoming: IncomingMessage, body: Readable): Readable {
  const type = incoming.headers['content-type'] ?? '';
  return type.trimStart().toLowerCase().startsWith('multipart/') ? filePart(body, { ...incoming.headers, 'content-type': type }) : body;
}

// Faults of the form are reported once it has been read to its end: a sender that is cut off would not see why.
function filePart(body: Readable, headers: BusboyHeaders): Readable {
  // Its reader may come later than the first fault of the form, and no fault may end the process.
  const file = new PassThrough().on('error', () => undefined);
  let found = false;
  const faults: ErrorDetail[] = [];
  const refuse = (path: string, code: DetailCode, message: string): void => {
    faults.push({ path, code, message });
  };
  const unexpected = (name: string | undefined): void =>
    refuse((name ?? '').slice(0, 100), 'unrecognized_keys', 'Send one form part, “file”; options go into the query');
  const form = openForm(headers);
  form.on('file', (name, part) => {
    part.on('error', () => file.destroy(notAForm()));
    if (name !== 'file') unexpected(name);
    else if (found) refuse('file', 'too_big', 'Send one file');
    else {
      found = true;
      part.pipe(file, { end: false });
      return;
    }
    part.resume();
  });
  form.on('field', unexpected);
  form.on('partsLimit', () => refuse('', 'too_big', 'The form has too many parts'));
  form.on('error', () => file.destroy(notAForm()));
  form.on('finish', () => {
    if (!found) refuse('file', 'invalid_type', 'The form has no part “file”');
    if (faults[0]) file.destroy(new AppError('validation_error', faults[0].message, faults));
    else file.end();
  });
  body.on('error', (error) => file.destroy(error));
  file.on('close', () => body.resume());
  body.pipe(form);
  return file;
}

const notAForm = (): AppError => invalid('', 'invalid_type', 'The body is not a complete multipart/form-data form');

function openForm(headers: BusboyHeaders) {
  try {
    return new Busboy({
      headers,
      limits: { parts: MAX_PARTS, fields: MAX_PARTS, fieldSize: 1024 },
      isPartAFile: (name, contentType, fileName) => name === 'file' || contentType === 'application/octet-stream' || fileName !== undefined,
    });
  } catch {
    throw notAForm();
  }
}
