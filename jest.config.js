import { availableParallelism, totalmem } from 'node:os';

/** Some tests only wait, for the clock or for another process. */
const maxWorkers = Math.min(8, availableParallelism() + 1);

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
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  setupFiles: ['<rootDir>/test/support/setup.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  maxWorkers,
  // Jest lets go of little of a file that is over, so workers are replaced; each new one loads the libraries again.
  workerIdleMemoryLimit: Math.min(1_500_000_000, Math.floor(totalmem() / 2 / maxWorkers)),
  testTimeout: 120_000,
};
