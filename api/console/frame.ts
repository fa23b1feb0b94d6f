import express from 'express';
import type { Request, Response } from 'express';
import type { Core } from '../../src/platform/core';
import { AppError } from '../../src/platform/core';
import { parsedBy } from '../http/body';
import { isOfOurPages } from '../http/console-session';
import { messagePolicy } from './policy';

/** What a message's HTML may have, written as a form writes it. */
const MOST_BYTES = 8 * 1_048_576;
const readForm = express.urlencoded({ extended: false, limit: MOST_BYTES, parameterLimit: 2 });

/**
 * Answers the HTML that it is given, as a document of its own that may do nothing. A frame of the console shows a message so: in a document written by the
 * page itself the page's own policy would hold, and the message would have lost its styles.
 */
export async function showFrame({ config }: Core, req: Request, res: Response): Promise<void> {
  if (!isOfOurPages(config, req)) throw new AppError('forbidden', 'Messages are shown within the console');
  await parsedBy(readForm, req, res);
  const { html } = (req.body ?? {}) as { readonly html?: unknown };
  messagePolicy(res);
  res.type('html').send(typeof html === 'string' ? html : '');
}
