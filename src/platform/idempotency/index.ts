export { AnswerKey } from './answer-key';
export type { IdempotencyRow } from './model';
export { answerOnce, earlierAnswer } from './once';
export type { Answered, Keep, OnceRequest } from './once';
export { keyReused, oneAtATime, storeAnswers, storedAnswer, storedAnswers } from './service';
export type { IdempotencyKey } from './service';
