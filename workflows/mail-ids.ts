import { defineSearchAttributeKey } from '@temporalio/common';
import type { SearchAttributeUpdatePair } from '@temporalio/common';

const EMAIL_ID = defineSearchAttributeKey('EmailId', 'KEYWORD_LIST');

/** Returns the search attribute that finds the workflow which sends, or delays, some messages. It holds `LISTED_IDS` of them; none removes it. */
export const mailIds = (emailIds: readonly string[]): SearchAttributeUpdatePair => ({
  key: EMAIL_ID,
  value: emailIds.length > 0 ? [...emailIds] : null,
});
