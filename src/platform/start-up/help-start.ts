import { answerTo } from './help';

/** Imported before anything else by the processes: what takes seconds to load is not needed for an answer. */
const answer = answerTo(process.argv);
if (answer) {
  process[answer.code === 0 ? 'stdout' : 'stderr'].write(answer.text);
  process.exit(answer.code);
}
