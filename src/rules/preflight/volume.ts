import { fine, found } from './finding';
import type { Finding } from './finding';

/** With this many messages a day, Gmail, Yahoo and Microsoft treat a sender as a bulk sender. */
const BULK = 5_000;
/** An audience of more than `FEW`, and of more than `JUMP` times the busiest day, is a jump. */
const FEW = 1_000;
const JUMP = 3;

/** Judges the size of an audience against the busiest day of the last 30 days. */
export function judgeVolume(audience: number, busiestDay: number): Finding {
  const detail = `${audience} recipients; at most ${busiestDay} messages on a day of the last 30 days`;
  if (audience > FEW && audience > JUMP * busiestDay) {
    const how = 'Send in steps with a `rollout`, set `throttlePerMinute`, or begin with the segment that reads your mail most.';
    return found('warn', 'volume', 'The audience is much larger than what you sent before, which providers take for spam.', how, detail);
  }
  if (audience >= BULK && busiestDay < BULK) {
    const how = 'Check SPF, DKIM, DMARC and one-click unsubscribe above: bulk senders need all of them.';
    return found('warn', 'volume', 'With 5,000 messages a day you become a bulk sender for Gmail, Yahoo and Microsoft.', how, detail);
  }
  return fine('volume', 'The audience fits what you sent before.', detail);
}
