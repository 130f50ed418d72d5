import { modelColumns, typed } from '../../db/columns.ts';
import type { Job } from '../../generated/prisma/client.ts';
import { descending } from '../../query/order-sql.ts';
import { defineList } from '../lists/list-loader.ts';

export interface JobRow
  extends Pick<Job, 'kind' | 'key' | 'state' | 'createdAt' | 'runAt' | 'attempts' | 'error'> {
  readonly id: string;
  /** The document that could not be indexed, if the job concerns a document. */
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
 * The kind of job that indexes a document again after a failure. A document with such a job is "set aside": it is not
 * in the search index, and no search waits for it, until either the job succeeds or a later change to the document is
 * indexed.
 */
export const indexDocumentJob = 'index-document';

const documentSql = `(
  SELECT jsonb_build_object('repository', d.repository, 'uid', d.id, 'path', d.path, 'title', d.title)
  FROM document d WHERE d.repository = j.payload ->> 'repository'
    AND d.id = CASE j.kind WHEN '${indexDocumentJob}' THEN (j.payload ->> 'id')::uuid END
)`;

/** The types of the columns in `jobColumns`. */
export const jobRow = {
  ...modelColumns('Job', 'kind', 'key', 'state', 'createdAt', 'runAt', 'attempts', 'error'),
  id: 'text',
  document: typed<SetAsideDocument | null>('jsonb?'),
} as const;

/** The SELECT list of `job j`. */
export const jobColumns = `j.id::text, j.kind, j.key, j.state, j.created_at AS "createdAt", j.run_at AS "runAt", j.attempts, j.error,
  ${documentSql} AS document`;

/** Reads pages of jobs, newest first. */
export const jobPages = defineList<JobFilter, JobRow>({
  name: 'jobs',
  columns: jobColumns,
  row: jobRow,
  from: 'job j',
  where: '$1::text IS NOT NULL',
  order: [descending('j.created_at', 'timestamptz')],
  tieBreak: descending('j.id', 'bigint'),
  filters: {
    state: (states) => `j.state = ANY(${states}::text[])`,
    kind: (kinds) => `j.kind = ANY(${kinds}::text[])`,
  },
});
