import type { HealthCheck } from '../check.ts';

/** Checks that all migrations have been applied to the database, and no others. */
export const tablesCheck: HealthCheck = {
  name: 'tables',
  opens: {
    tables: {
      reason: 'The server reads and writes these tables.',
      remedy: 'Start the server or run `npx quire migrate`, which create and migrate the tables.',
    },
  },
  run: async ({ tables }) => {
    await tables();
    return [];
  },
};
