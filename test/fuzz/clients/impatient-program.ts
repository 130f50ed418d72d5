import { serve } from '../../../src/serve.ts';

// The server as it is, only that it waits for nobody: a program of its own, for the tests of slow clients.
serve({ patience: { headers: 1_000, request: 4_000, keepAlive: 1_500, idle: 1_000, interval: 100 } });
