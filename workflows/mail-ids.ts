import { defineSearchAttributeKey } from '@temporalio/common';
import type { SearchAttributeUpdatePair } from '@temporalio/common';

const EMAIL_ID = defineSearchAttributeKey('EmailId', 'KEYWORD_LIST');

/** Returns the search attribute by which a workflow is found that messages go out by, or wait in. It takes `LISTED_IDS` of them; none take it away. */
export const mailIds = (emailIds: readonly string[]): SearchAttributeUpdatePair => ({
  key: EMAIL_ID,
  value: emailIds.length > 0 ? [...emailIds] : null,
});
