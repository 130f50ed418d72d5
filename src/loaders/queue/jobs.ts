import { modelColumns, typed } from '../../db/columns.ts';
import type { Job } from '../../generated/prisma/client.ts';
import { descending } from '../../query/order-sql.ts';
import { defineList } from '../lists/list-loader.ts';

export interface JobRow
  extends Pick<Job, 'kind' | 'key' | 'state' | 'createdAt' | 'runAt' | 'attempts' | 'error'> {
  readonly id: string;
  /** The document that the search index has set aside, of a job that says so. */
  readonly document: SetAsideDocument | null;
}

export interface SetAsideDocument {
  readonly repository: string;
  readonly uid: string;
  readonly path: string;
  readonly title: string;
}

export const jobStates = ['waiting', 'running', 'set-aside'];

interface JobFilter {
  readonly state: readonly string[];
  readonly kind: readonly string[];
}

/**
 * The jobs of documents that could not be indexed: a document that has one is set aside. It is not in the search
 * index, and no search waits for it, until the job or a change of the document has succeeded.
 */
export const indexDocumentJob = 'index-document';

const documentSql = `(
  SELECT jsonb_build_object('repository', d.repository, 'uid', d.id, 'path', d.path, 'title', d.title)
  FROM document d WHERE d.repository = j.payload ->> 'repository'
    AND d.id = CASE j.kind WHEN '${indexDocumentJob}' THEN (j.payload ->> 'id')::uuid END
)`;

/** The columns of `jobColumns`. */
export const jobRow = {
  ...modelColumns('Job', 'kind', 'key', 'state', 'createdAt', 'runAt', 'attempts', 'error'),
  id: 'text',
  document: typed<SetAsideDocument | null>('jsonb?'),
} as const;

/** The columns of `job j`. */
export const jobColumns = `j.id::text, j.kind, j.key, j.state, j.created_at AS "createdAt", j.run_at AS "runAt", j.attempts, j.error,
  ${documentSql} AS document`;

/** The newest first. */
export const jobPages = defineList<JobFilter, JobRow>({
  name: 'jobs',
  columns: jobColumns,
  row: jobRow,
  from: 'job j',
  where: '$1::text IS NOT NULL',
  order: [descending('j.created_at', 'timestamptz')],
  tieBreak: descending('j.id', 'bigint'),
  filters: {
    state: (given) => `j.state = ANY(${given}::text[])`,
    kind: (given) => `j.kind = ANY(${given}::text[])`,
  },
});
