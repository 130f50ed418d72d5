import type DataLoader from 'dataloader';
import { quickForFewKeys } from '../../db/quick-statements.ts';
import type { Scope } from '../../scope.ts';
import { listBatchLoader } from '../batch.ts';

const query = quickForFewKeys({
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

export const subscriptions = ({ db, options, user }: Scope): DataLoader<string, readonly SubscriptionRow[]> =>
  listBatchLoader(
    (ids) => db.query<SubscriptionRow>(query(ids), [options.repository, ids, user.id]),
    ({ of }) => of,
  );
