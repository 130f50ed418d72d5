import { setFlagsFromString } from 'node:v8';
import { answers } from '../../src/db/statement.ts';
import { checkAnswer } from './statement-columns.ts';

// V8 would compile the WebAssembly of PDFium a second time in the background, with more optimization. Tests end before
// that pays off, and a worker could not exit before it is done, so Jest would report that it hangs.
setFlagsFromString('--liftoff-only');

// In all tests, each result of the database is compared with the columns that its statement declares.
answers.check = checkAnswer;
