import { setFlagsFromString } from 'node:v8';

// PDFium is WebAssembly, which V8 would compile a second time, better, in the background. Tests are over before that
// pays, and a worker would not end before it is done, so that Jest takes it for one that hangs.
setFlagsFromString('--liftoff-only');
