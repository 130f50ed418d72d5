import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { readableAcls, readableCondition, readableValues, readerStatement } from '../acls/readable-sql.ts';
import { batchLoader } from '../batch.ts';

const counts = (name: string, before: string, shown: string) => statement(name, {
  id: 'uuid',
  count: 'int4',
})`${before}
  SELECT p.id, count(*)::int AS count FROM unnest($2::uuid[]) AS p (id)
  JOIN document d ON d.repository = $1 AND d.is_proxy AND (d.live_id = p.id OR d.target_id = p.id)
  WHERE ${shown} GROUP BY p.id`;

const proxies =
  'd.repository = $1 AND d.is_proxy AND (d.live_id = ANY($2::uuid[]) OR d.target_id = ANY($2::uuid[]))';

const queries = {
  all: counts('publications', '', 'true'),
  readable: counts(
    'readable-publications',
    `WITH ${readableAcls('document d', proxies, 3)}`,
    readableCondition,
  ),
};

/** Returns a loader for the number of readable proxies of a document, which can be a live document or a version. */
export function publicationCount(
  { db, options, user }: Scope,
  { now }: Access,
): (document: string) => Promise<number> {
  const [query, values] = readerStatement(user, queries, readableValues(user, 'Read', now));
  const loader = batchLoader(
    (ids: readonly string[]) => db.query(query, [options.repository, ids, ...values]),
    ({ id }) => id,
  );
  return async (document) => (await loader.load(document))?.count ?? 0;
}
