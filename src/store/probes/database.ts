import { statement } from '../../db/statement.ts';
import type { Probe } from './probe.ts';

const query = statement('probe-database')`SELECT current_setting('server_version') AS version`;

export const databaseProbe: Probe = {
  name: 'database',
  run: async ({ db }) => {
    const [row] = await db.query<{ version: string }>(query, []);
    return { success: row !== undefined, values: { version: row?.version ?? '' } };
  },
};
