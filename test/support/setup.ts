import { setFlagsFromString } from 'node:v8';

// PGlite and PDFium are WebAssembly. V8 would compile it a second time, better, in the background: tests are over before
// that pays, and no worker ends before it is done, so that Jest takes it for one that hangs. A run on the fallback
// executes enough of it.
if (process.env.TEST_ENGINE !== 'pglite') setFlagsFromString('--liftoff-only');
