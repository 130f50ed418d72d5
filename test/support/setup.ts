import { setFlagsFromString } from 'node:v8';
import { answers } from '../../src/db/statement.ts';
import { checkAnswer } from './statement-columns.ts';

// PDFium is WebAssembly, which V8 would compile a second time, better, in the background. Tests are over before that
// pays, and a worker would not end before it is done, so that Jest takes it for one that hangs.
setFlagsFromString('--liftoff-only');

// Whatever a test has the server do, each answer of the database is compared with what its statement declares.
answers.check = checkAnswer;
