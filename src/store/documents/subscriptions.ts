import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import { readPermissionFor } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { notificationNames } from '../../model/notifications.ts';
import type { Scope } from '../../scope.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { lockDocuments } from '../row-locks/lock-documents.ts';

// Inserts a row for each pair of a document and a notification.
const subscribeQuery = statement('subscribe')`
  INSERT INTO subscription (repository, document_id, user_id, notification)
  SELECT $1, d.id, $3, n.name FROM unnest($2::uuid[]) AS d (id) CROSS JOIN unnest($4::text[]) AS n (name)
  ORDER BY d.id, n.name ON CONFLICT DO NOTHING`;

/** @throws Invalid for unknown notifications */
function requireKnown(names: readonly string[]): void {
  const unknown = names.filter((name) => !notificationNames.includes(name));
  if (unknown.length > 0) {
    throw new Invalid(
      `notifications: ${unknown.join(', ')} does not exist. The notifications are ${notificationNames.join(', ')}.`,
    );
  }
}

async function change(
  scope: Scope,
  { references, names = notificationNames }: SubscriptionRequest,
  write: (documentIds: string[], names: readonly string[]) => Promise<unknown>,
): Promise<DocumentRow[]> {
  requireKnown(names);
  const requests = references.map((reference) => ({ reference, needs: readPermissionFor }));
  const rows = await lockDocuments(scope, requests, 'KEY SHARE');
  await lockAuthority(scope.db, 'user', scope.user.id, 'KEY SHARE');
  await write([...new Set(rows.map(({ id }) => id))], [...new Set(names)]);
  return rows;
}

/** Documents, and the names of notifications about them. If no names are given, all notifications are meant. */
interface SubscriptionRequest {
  readonly references: readonly DocumentReference[];
  readonly names?: readonly string[] | undefined;
}

/**
 * Subscribes the caller to notifications. Existing subscriptions are left unchanged.
 * @throws NotFound, Forbidden, Invalid
 */
export const subscribe = (scope: Scope, request: SubscriptionRequest): Promise<DocumentRow[]> =>
  change(scope, request, (documentIds, names) =>
    scope.db.query(subscribeQuery, [scope.options.repository, documentIds, scope.user.id, names]),
  );

/**
 * Removes some of the caller's subscriptions.
 * @throws NotFound, Forbidden, Invalid
 */
export const unsubscribe = (scope: Scope, request: SubscriptionRequest): Promise<DocumentRow[]> =>
  change(scope, request, (documentIds, names) =>
    scope.db.prisma.subscription.deleteMany({
      where: {
        repository: scope.options.repository,
        documentId: { in: documentIds },
        userId: scope.user.id,
        notification: { in: [...names] },
      },
    }),
  );
