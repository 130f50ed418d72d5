import { availableParallelism, totalmem } from 'node:os';

/** Many tests only wait, for the clock, a database or another process: those of the slow group most of their time. */
const maxWorkers = Math.min(8, (process.env.TEST_GROUP === 'slow' ? 3 : 2) * availableParallelism());

/** ESM throughout: the generated Prisma client and several libraries exist as modules only. */
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  runtime: '<rootDir>/test/support/runtime.cjs',
  reporters: ['default', '<rootDir>/test/support/failed-files.cjs'],
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  setupFiles: ['<rootDir>/test/support/setup.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  maxWorkers,
  // Jest keeps something of each file that is over; a new worker loads the libraries and the server again.
  workerIdleMemoryLimit: Math.min(1_500_000_000, Math.floor(totalmem() / 2 / maxWorkers)),
  testTimeout: 120_000,
};
