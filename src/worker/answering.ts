import { decide, expireQuestion, setQuestionClock } from '../generation/decisions';
import { continueAnswer, edit, regenerate, send } from '../generation/entries';

/** Everything that asks a model or goes on with an answer: a file of its own, so that a page can be written in before it has come. */
export const answering = { send, edit, regenerate, continueAnswer, decide, expireQuestion, setQuestionClock };
