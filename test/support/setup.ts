import { setFlagsFromString } from 'node:v8';
import { answers } from '../../src/db/statement.ts';
import { checkAnswer } from './statement-columns.ts';

// V8 would compile PDFium's WebAssembly a second time in the background, with more optimizations. Tests end before this
// is useful, and a worker cannot exit until the compilation has ended, so Jest would report that the worker hangs.
setFlagsFromString('--liftoff-only');

// In all tests, each result from the database is compared with the columns that its statement declares.
answers.check = checkAnswer;
