import type { Request, Response } from 'express';
import type { AppError, Core } from '../../src/platform/core';
import { readToken } from '../../src/records/emails';
import { notFound } from '../../src/platform/core';
import { unavailable } from '../http/errors';
import { PAGE_POLICY } from './frame';

/** Answers a request to a link with a token. */
export type Serve = (token: string, req: Request, res: Response) => Promise<void>;
export type Route = readonly [method: string, path: string, serve: Serve];

export const noSuchLink = (): AppError => notFound('Link');

/** Throws `not_found` for null: a link outlives the message that it belongs to. */
export function known<T>(found: T | null): T {
  if (found === null) throw noSuchLink();
  return found;
}

/** Answers with a page that may load only what the policy allows. */
export function sendPage(res: Response, html: string, policy = PAGE_POLICY): void {
  res.set('Content-Security-Policy', policy).type('html').send(html);
}

/** Finds the message that a token was made for. Both throw `not_found` for a token that was not made here, or for another purpose. */
export interface Links {
  readonly messageOf: (purpose: 'open' | 'unsubscribe' | 'view', token: string) => string;
  /** For what cannot be done without the database; a bad link is bad all the same. */
  readonly storedMessageOf: (purpose: 'unsubscribe' | 'view', token: string) => string;
}

/** Returns functions that find messages by the tokens in links; those that need the database throw `unavailable` until it is connected. */
export function links(core: Core, ready: () => boolean): Links {
  const messageOf: Links['messageOf'] = (purpose, token) => known(readToken(core, purpose, token));
  return {
    messageOf,
    storedMessageOf: (purpose, token) => {
      const emailId = messageOf(purpose, token);
      if (!ready()) throw unavailable('The database is not reachable yet; retry shortly');
      return emailId;
    },
  };
}
