import { statement } from '../../db/statement.ts';
import type { Probe } from './probe.ts';

const query = statement('probe-database', {
  version: 'text',
})`SELECT current_setting('server_version') AS version`;

/** Tests that the PostgreSQL version can be read from the database. */
export const databaseProbe: Probe = {
  name: 'database',
  run: async ({ db }) => {
    const [row] = await db.query(query, []);
    return { success: row !== undefined, values: { version: row?.version ?? '' } };
  },
};
