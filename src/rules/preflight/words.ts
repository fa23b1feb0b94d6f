import { fine, found, listed } from './finding';
import type { Finding } from './finding';

/** Phrases that filters count against a message, in small letters. */
const SPAM_WORDS = [
  '100% free',
  'act now',
  'cash bonus',
  'cheap meds',
  'click here now',
  'double your income',
  'earn extra cash',
  'extra income',
  'free money',
  'get rich',
  'guaranteed winner',
  'lose weight fast',
  'make money fast',
  'no credit check',
  'no obligation',
  'once in a lifetime',
  'risk-free',
  'this is not spam',
  'viagra',
  'work from home',
  'you are a winner',
  'you have been selected',
] as const;

/** Judges the words of a message. `text`: its plain-text part. */
export function judgeWords(subjects: readonly string[], text: string): Finding {
  const all = [...subjects, text].join('\n').toLowerCase().replace(/\s+/g, ' ');
  const words = SPAM_WORDS.filter((phrase) => all.includes(phrase));
  if (words.length === 0) return fine('spam_words', 'No typical words of spam.');
  const how = 'Say it in other words. One such phrase does little harm; several do.';
  return found('warn', 'spam_words', 'The message has phrases that spam filters count.', how, listed(words, ', '));
}

const SHOUTED = 10;

function subjectFault(subject: string): string | null {
  if (subject.trim() === '') return 'is empty';
  const letters = subject.replace(/\{\{[^}]*\}\}/g, '').replace(/[^\p{L}]/gu, '');
  if (letters.length >= SHOUTED && letters === letters.toUpperCase() && letters !== letters.toLowerCase()) return 'is all in capitals';
  if (/[!?]{3}|!.*!.*!/.test(subject)) return 'has many exclamation marks';
  return /^\s*(re|fwd?|aw|wg)\s*:/i.test(subject) ? 'pretends to be a reply' : null;
}

/** Judges the subject, and subject B of an A/B test. */
export function judgeSubjects(subject: string, abSubjectB: string | null): Finding {
  const named = [['The subject', subject] as const, ...(abSubjectB === null ? [] : [['Subject B', abSubjectB] as const])];
  const faults = named.flatMap(([name, text]) => {
    const fault = subjectFault(text);
    return fault === null ? [] : [`${name} ${fault}`];
  });
  if (abSubjectB !== null && abSubjectB.trim() === subject.trim()) faults.push('Both subjects of the A/B test are the same');
  if (faults.length === 0) return fine('subject', abSubjectB === null ? 'The subject is fine.' : 'Both subjects are fine.');
  return found('warn', 'subject', 'A subject needs work.', 'Write a subject that says what the message is about.', listed(faults));
}
