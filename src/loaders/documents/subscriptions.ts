import type DataLoader from 'dataloader';
import type { Subscription } from '../../generated/prisma/client.ts';
import type { Scope } from '../../scope.ts';
import { listBatchLoader } from '../batch.ts';

/** Returns a loader for the caller's own subscriptions to documents, by document id. */
export const subscriptions = ({ db, options, user }: Scope): DataLoader<string, readonly Subscription[]> =>
  listBatchLoader(
    (ids) =>
      db.prisma.subscription.findMany({
        where: { repository: options.repository, documentId: { in: [...ids] }, userId: user.id },
      }),
    ({ documentId }) => documentId,
  );
