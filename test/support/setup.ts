import { setFlagsFromString } from 'node:v8';

// The databases are WebAssembly. V8 would compile it a second time, better, in the background: tests are over before
// that pays, and a worker that is told to end cannot until it is done, so that Jest takes it for one that hangs.
setFlagsFromString('--liftoff-only');
