import type { Query } from '../db/database.ts';
import { Invalid } from '../errors.ts';
import { toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { notifications } from '../model/notifications.ts';
import type { Scope } from '../scope.ts';
import { hold } from './authorities/hold.ts';
import type { DocumentReference } from './lock-document.ts';
import { lockDocuments } from './lock-documents.ts';

const subscribeQuery: Query = {
  name: 'subscribe',
  text: `
    INSERT INTO subscription (repository, document_id, user_id, notification)
    SELECT $1, d.id, $3, n.name FROM unnest($2::uuid[]) AS d (id) CROSS JOIN unnest($4::text[]) AS n (name)
    ORDER BY d.id, n.name ON CONFLICT DO NOTHING`,
};

const unsubscribeQuery: Query = {
  name: 'unsubscribe',
  text: `
    DELETE FROM subscription
    WHERE repository = $1 AND document_id = ANY($2::uuid[]) AND user_id = $3 AND notification = ANY($4::text[])`,
};

/** @throws Invalid naming those that nobody is ever told of. */
function requireKnown(names: readonly string[]): void {
  const unknown = names.filter((name) => !notifications.includes(name));
  if (unknown.length > 0) {
    throw new Invalid(`notifications: ${unknown.join(', ')}: is none of ${notifications.join(', ')}`);
  }
}

async function change(
  scope: Scope,
  query: Query,
  { references, names = notifications }: Subscriptions,
): Promise<DocumentRow[]> {
  requireKnown(names);
  const claims = references.map((reference) => ({ reference, needs: toRead }));
  const rows = await lockDocuments(scope, claims, 'KEY SHARE');
  await hold(scope.db, 'user', scope.user.id, 'KEY SHARE');
  const ids = rows.map(({ id }) => id);
  await scope.db.query(query, [scope.options.repository, ids, scope.user.id, names]);
  return rows;
}

/** What of which documents the caller wants to be told; everything when no notifications are named. */
export interface Subscriptions {
  readonly references: readonly DocumentReference[];
  readonly names?: readonly string[] | undefined;
}

/** Lets the caller be told of documents; twice is the same as once. @throws NotFound, Forbidden, Invalid */
export const subscribe = (scope: Scope, wanted: Subscriptions): Promise<DocumentRow[]> =>
  change(scope, subscribeQuery, wanted);

/** Lets the caller be told no longer. @throws NotFound, Forbidden, Invalid */
export const unsubscribe = (scope: Scope, unwanted: Subscriptions): Promise<DocumentRow[]> =>
  change(scope, unsubscribeQuery, unwanted);
