import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { byKey } from './batch.ts';
import { isReadable, readableAcls, readableValues } from './readable.ts';

const counts = (name: string, before: string, shown: string): Query => ({
  name,
  text: `${before}
    SELECT p.id, count(*)::int AS count FROM unnest($2::uuid[]) AS p (id)
    JOIN document d ON d.repository = $1 AND d.is_proxy AND (d.live_id = p.id OR d.target_id = p.id)
    WHERE ${shown} GROUP BY p.id`,
});

const proxies =
  'd.repository = $1 AND d.is_proxy AND (d.live_id = ANY($2::uuid[]) OR d.target_id = ANY($2::uuid[]))';

const queries = {
  all: counts('publications', '', 'true'),
  readable: counts('readable-publications', `WITH ${readableAcls(proxies, 3)}`, isReadable),
};

interface Count {
  readonly id: string;
  readonly count: number;
}

/** How many proxies show a document, or a version of it, that the caller may read. */
export function publications(
  { db, options, user }: Scope,
  { now }: Access,
): (document: string) => Promise<number> {
  const [query, values] = user.isAdministrator
    ? [queries.all, []]
    : [queries.readable, readableValues(user, 'Read', now)];
  const loader = byKey<string, Count>(
    (ids) => db.query(query, [options.repository, ids, ...values]),
    ({ id }) => id,
  );
  return async (document) => (await loader.load(document))?.count ?? 0;
}
