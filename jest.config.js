import { availableParallelism } from 'node:os';

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
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  setupFiles: ['<rootDir>/test/support/setup.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  maxWorkers: Math.min(8, availableParallelism() + 1), // some only wait, for the clock or for another process
  // Jest lets go of little of a file that is over; a worker that drags forty of them along takes three times as long.
  workerIdleMemoryLimit: '800MB',
  testTimeout: 60_000,
};
