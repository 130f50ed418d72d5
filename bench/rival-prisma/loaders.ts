import DataLoader from 'dataloader';
import type { Document, PrismaClient } from '../../src/generated/prisma/client.ts';

export const repository = 'default';

export interface Ace {
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
  readonly creator: string | null;
  readonly begin: string | null;
  readonly end: string | null;
}

export interface Acl {
  readonly name: string;
  readonly aces: readonly Ace[];
}

const favorites = '/default-domain/UserWorkspaces/Administrator/Favorites';

/** Returns the results of a query in the order of the keys. */
async function inOrder<Row, Value>(
  ids: readonly string[],
  rows: Promise<Row[]>,
  pick: (row: Row) => readonly [id: string, value: Value],
): Promise<Array<Value | undefined>> {
  const byId = new Map((await rows).map(pick));
  return ids.map((id) => byId.get(id));
}

/** Creates the loaders of one request, which batch and cache reads. */
export function createLoaders(prisma: PrismaClient) {
  return {
    documentById: new DataLoader<string, Document | undefined>((ids) =>
      inOrder(ids, prisma.document.findMany({ where: { repository, id: { in: [...ids] } } }), (row) => [
        row.id,
        row,
      ]),
    ),
    ownAcls: new DataLoader<string, readonly Acl[] | undefined>((ids) =>
      inOrder(
        ids,
        prisma.documentAcl.findMany({ where: { repository, documentId: { in: [...ids] } } }),
        (row) => [row.documentId, row.acls as unknown as Acl[]],
      ),
    ),
    effectiveAcl: new DataLoader<string, readonly Ace[] | undefined>((ids) =>
      inOrder(ids, prisma.effectiveAcl.findMany({ where: { repository, id: { in: [...ids] } } }), (row) => [
        row.id,
        row.entries as unknown as Ace[],
      ]),
    ),
    isFavorite: new DataLoader<string, true | undefined>((ids) =>
      inOrder(
        ids,
        prisma.collectionMember.findMany({
          where: { repository, memberId: { in: [...ids] }, collection: { path: favorites } },
          select: { memberId: true },
        }),
        ({ memberId }) => [memberId, true],
      ),
    ),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
