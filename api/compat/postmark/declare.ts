import { declarationsFor } from '../kit/declare';
import { postmarkDialect } from './dialect';

/** What declares operations of Postmark's API. */
export const { declare: postmark, absent } = declarationsFor({ prefix: postmarkDialect.prefix, keyHeader: 'x-postmark-server-token' });
