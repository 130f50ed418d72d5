import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { createLoaders } from '../../src/loaders/index.ts';
import { isReadable, readableAcls, readableValues } from '../../src/loaders/readable.ts';
import { loadModel } from '../../src/model/contributed.ts';
import type { Model } from '../../src/model/model.ts';
import type { Scope } from '../../src/scope.ts';
import { type Acl, entriesId } from '../../src/security/acl.ts';
import type { Permission } from '../../src/security/permissions.ts';
import { changeAcls } from '../../src/store/change-acls.ts';
import { createExecuting } from '../../src/store/executing.ts';
import { pointToAcls } from '../../src/store/point-to-acls.ts';
import { attempts, secrets } from '../support/authentication.ts';
import { stockedDatabase, type TestDatabase } from '../support/database.ts';
import { wrongAcls } from './acl-consistency.ts';
import { mayBy, permission, type Somebody, somebody, type TreeNode, tree } from './acl-trees.ts';

/** How many cases: a tree, somebody and a permission each. `ACL_CASES=20000` asks for more than the suite does. */
const cases = Number(process.env.ACL_CASES ?? 1_000);
const [treesPerRound, peoplePerRound] = [40, 5];
const base = Date.now();

let stocked: TestDatabase;
let model: Model;
beforeAll(async () => {
  stocked = await stockedDatabase();
  model = await loadModel(undefined);
});
afterAll(() => stocked.database.close());

const noBlobs = () => {
  throw new Error('these documents have no blobs');
};

const scopeOf = (repository: string, { id, groups }: Somebody, isAdministrator = false): Scope => ({
  db: stocked.database,
  model,
  secrets,
  attempts,
  executing: createExecuting(stocked.database, { most: 1, onError: noBlobs }),
  log: pino({ level: 'silent' }),
  chief: 'Administrator',
  usedUploads: new Set(),
  blobs: { write: noBlobs, file: noBlobs, renew: noBlobs, sweep: noBlobs },
  user: { id, groups, isAdministrator },
  options: {
    ...({
      repository,
      versioning: 'NONE',
      source: undefined,
      comment: undefined,
      searchSync: false,
      keepsUploads: false,
      skipAggregates: false,
    } as const),
    ...{ timeout: undefined, baseUrl: '', address: '', language: 'en' as const },
  },
});

/** Trees as they were laid down, with the id of every document. */
interface Forest {
  readonly repository: string;
  readonly root: string;
  readonly trees: ReadonlyArray<{ nodes: readonly TreeNode[]; ids: readonly string[] }>;
}

const row = (repository: string, id: string, parentId: string | null, above: readonly string[]) => ({
  ...{
    repository,
    id,
    parentId,
    ancestorIds: [...above],
    name: id,
    path: `/${id}`,
    type: 'Folder',
    title: id,
  },
  ...{ facets: [], aclId: entriesId([]) },
});

/** Lays trees down below one root, in a repository of their own. */
async function plant(trees: ReadonlyArray<readonly TreeNode[]>): Promise<Forest> {
  const { prisma } = stocked.database;
  const [repository, root] = [randomUUID(), randomUUID()];
  const documents = [row(repository, root, null, [])];
  const governed: Array<{ repository: string; documentId: string; acls: Acl[] }> = [];
  const planted = trees.map((nodes) => {
    const ids = nodes.map(() => randomUUID());
    const ways: string[][] = [];
    for (const [index, { parent, acls }] of nodes.entries()) {
      const [id = '', parentId = root] = [ids[index], index === 0 ? root : ids[parent]];
      const way = index === 0 ? [root] : [...(ways[parent] ?? []), parentId];
      ways.push(way);
      documents.push(row(repository, id, parentId, way));
      if (acls.length > 0) governed.push({ repository, documentId: id, acls: [...acls] });
    }
    return { nodes, ids };
  });
  await prisma.document.createMany({ data: documents });
  await prisma.documentAcl.createMany({ data: governed.map((one) => JSON.parse(JSON.stringify(one))) });
  await stocked.database.transaction(60, (db) => pointToAcls(db, { repository, id: root }));
  return { repository, root, trees: planted };
}

/** Which documents a list shows to somebody: by the condition that lists have. */
async function listed({ repository }: Forest, who: Somebody, wanted: Permission): Promise<Set<string>> {
  const text = `WITH ${readableAcls('d.repository = $1', 2)}
    SELECT d.id FROM document d WHERE d.repository = $1 AND ${isReadable}`;
  const values = readableValues({ ...who, isAdministrator: false }, wanted, new Date().toISOString());
  const rows = await stocked.database.query<{ id: string }>({ name: '', text }, [repository, ...values]);
  return new Set(rows.map(({ id }) => id));
}

/** Whether the loaders of a request bring each of the documents. */
async function loaded({ repository, trees }: Forest, who: Somebody): Promise<boolean[]> {
  const load = createLoaders(scopeOf(repository, who));
  const found = await load.documentById.loadMany(trees.flatMap(({ ids }) => ids));
  return found.map((document) => !(document instanceof Error));
}

/** Whether the pages of children show each of the documents that have a parent in their tree. */
async function shown({ repository, root, trees }: Forest, who: Somebody): Promise<Set<string>> {
  const load = createLoaders(scopeOf(repository, who));
  const page = { pageSize: 0, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };
  const parents = [root, ...trees.flatMap(({ ids }) => ids)];
  const pages = await Promise.all(
    parents.map((id) => load.children({ id, type: 'Folder', facets: [] }, page)),
  );
  for (const { rows, total } of pages) expect(rows).toHaveLength(total);
  return new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id)));
}

/** Tells how to run what failed again, and not what it was made of: hundreds of documents. */
const reporter = <Ts>({ failed, seed, errorInstance }: fc.RunDetails<Ts>): void => {
  if (failed) throw new Error(`with the seed ${seed}: ${String(errorInstance)}`);
};

const settings = { endOnFailure: true, reporter };

describe('§2.5 who may do what', () => {
  test(`is the same in lists, for single documents and by the words of the contract, ${cases} times`, async () => {
    const round = fc.asyncProperty(
      fc.array(tree(base), { minLength: treesPerRound, maxLength: treesPerRound }),
      fc.array(fc.tuple(somebody, permission), { minLength: peoplePerRound, maxLength: peoplePerRound }),
      async (trees, people) => {
        const forest = await plant(trees);
        for (const [who, wanted] of people) {
          const [inList, single, asChild] = [
            await listed(forest, who, wanted),
            await loaded(forest, who),
            await shown(forest, who),
          ];
          const seen = forest.trees.flatMap(({ nodes, ids }) =>
            ids.map((id, at) => ({
              expected: [
                mayBy(nodes, at, who, wanted, Date.now()),
                mayBy(nodes, at, who, 'Read', Date.now()),
              ],
              id,
            })),
          );
          expect(seen.map(({ id }, index) => [inList.has(id), single[index], asChild.has(id)])).toEqual(
            seen.map(({ expected: [one, read] }) => [one, read, read]),
          );
        }
      },
    );
    await fc.assert(round, { ...settings, numRuns: Math.ceil(cases / (treesPerRound * peoplePerRound)) });
  }, 600_000);

  test('is right after every change, whatever was there before', async () => {
    const administrator = { id: 'Administrator', groups: [] };
    const changes = fc.array(fc.tuple(fc.nat(7), tree(base)), { minLength: 3, maxLength: 3 });
    const round = fc.asyncProperty(tree(base), changes, async (nodes, changed) => {
      const forest = await plant([nodes]);
      const ids = forest.trees[0]?.ids ?? [];
      for (const [at, [other]] of changed) {
        const id = ids[at % ids.length] ?? '';
        await stocked.database.transaction(60, (db) =>
          changeAcls(
            { ...scopeOf(forest.repository, administrator, true), db },
            { id },
            () => other?.acls ?? [],
          ),
        );
      }
      expect(await wrongAcls(stocked)).toEqual([]);
      await stocked.database.prisma.document.deleteMany({ where: { repository: forest.repository } });
    });
    await fc.assert(round, { ...settings, numRuns: 20 });
  }, 120_000);
});
