import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const sizes = [100, 1_000, 10_000] as const;

const known = statement('known-documents')`
  SELECT reltuples::float8 AS documents FROM pg_class WHERE oid = 'document'::regclass`;

const analyze = statement('analyze-documents')`ANALYZE document, search_document`;

interface YoungStatistics {
  add(changes: number): void;
  refresh(): Promise<void>;
}

/**
 * PostgreSQL takes statistics each minute at most. Until then it plans as for a few documents, and checks the
 * parent of a new one by reading all that there are.
 */
export function createYoungStatistics(db: Pick<Client, 'query'>): YoungStatistics {
  let seen = 0;
  let step = 0;
  return {
    add: (changes) => {
      seen += changes;
    },
    refresh: async () => {
      let size: number | undefined;
      for (; seen >= (sizes[step] ?? Number.POSITIVE_INFINITY); step += 1) size = sizes[step];
      if (size === undefined) return;
      const [row] = await db.query<{ documents: number }>(known, []);
      if (row && row.documents < size / 2) await db.query({ ...analyze, name: '' }, []);
    },
  };
}
