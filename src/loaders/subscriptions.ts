import type DataLoader from 'dataloader';
import { quickForFew } from '../db/quick.ts';
import type { Scope } from '../scope.ts';
import { listsByKey } from './batch.ts';

const query = quickForFew({
  name: 'subscriptions',
  text: `
    SELECT document_id AS "of", notification FROM subscription
    WHERE repository = $1 AND document_id = ANY($2::uuid[]) AND user_id = $3
    ORDER BY document_id, notification COLLATE "C"`,
});

interface SubscriptionRow {
  readonly of: string;
  readonly notification: string;
}

/** What the caller wants to be told of documents, by the document's id. */
export const subscriptions = ({ db, options, user }: Scope): DataLoader<string, readonly SubscriptionRow[]> =>
  listsByKey(
    (ids) => db.query<SubscriptionRow>(query(ids), [options.repository, ids, user.id]),
    ({ of }) => of,
  );
