import { declarationsFor } from '../kit/declare';
import { postmarkDialect } from './dialect';

/** Declares operations of Postmark's API, and those that have no counterpart. */
export const { declare: postmark, absent } = declarationsFor({ prefix: postmarkDialect.prefix, keyHeader: 'x-postmark-server-token' });
