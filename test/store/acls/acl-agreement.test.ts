import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readableAcls, readableCondition, readableValues } from '../../../src/loaders/acls/readable-sql.ts';
import { createLoaders } from '../../../src/loaders/index.ts';
import type { Scope } from '../../../src/scope.ts';
import { entriesId, type NamedAcl } from '../../../src/security/acl.ts';
import type { Permission } from '../../../src/security/permissions.ts';
import { assignEffectiveAcls } from '../../../src/store/acls/assign-effective-acls.ts';
import { changeAcls } from '../../../src/store/acls/change-acls.ts';
import { stockedDatabase } from '../../support/database.ts';
import { testOptions, testScope } from '../../support/scope.ts';
import { use } from '../../support/use.ts';
import { wrongAcls } from './acl-consistency.ts';
import { mayBy, permission, type Somebody, somebody, type TreeNode, tree } from './acl-trees.ts';

/** The number of cases; each has a tree, a user and a permission. Set `ACL_CASES=20000` for a longer run. */
const cases = Number(process.env.ACL_CASES ?? 1_000);
const [treesPerRound, peoplePerRound] = [40, 5];
const base = Date.now();

const stocked = use(stockedDatabase);

const scopeOf = (repository: string, { id, groups }: Somebody, isAdministrator = false): Scope =>
  testScope(stocked.database, {
    user: { id, groups, isAdministrator },
    options: { ...testOptions, repository },
  });

/** The trees of a repository, with the id of every document. */
interface Forest {
  readonly repository: string;
  readonly root: string;
  readonly trees: ReadonlyArray<{ nodes: readonly TreeNode[]; ids: readonly string[] }>;
}

const row = (repository: string, id: string, parentId: string | null, above: readonly string[]) => ({
  repository,
  id,
  parentId,
  ancestorIds: [...above],
  name: id,
  path: `/${id}`,
  type: 'Folder',
  title: id,
  facets: [],
  aclId: entriesId([]),
});

/** Creates trees below one root, in a repository of their own. */
async function plant(trees: ReadonlyArray<readonly TreeNode[]>): Promise<Forest> {
  const { prisma } = stocked.database;
  const [repository, root] = [randomUUID(), randomUUID()];
  const documents = [row(repository, root, null, [])];
  const governed: Array<{ repository: string; documentId: string; acls: NamedAcl[] }> = [];
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
  await stocked.database.transaction(60, (db) => assignEffectiveAcls(db, { repository, id: root }));
  return { repository, root, trees: planted };
}

/** The documents that the condition of lists lets a user see. */
async function listed({ repository }: Forest, who: Somebody, wanted: Permission): Promise<Set<string>> {
  const text = `WITH ${readableAcls('document d', 'd.repository = $1', 2)}
    SELECT d.id FROM document d WHERE d.repository = $1 AND ${readableCondition}`;
  const values = readableValues({ ...who, isAdministrator: false }, wanted, new Date().toISOString());
  const rows = await stocked.database.query<{ id: string }>({ name: '', text }, [repository, ...values]);
  return new Set(rows.map(({ id }) => id));
}

/** Whether the loaders return each of the documents to a user. */
async function loaded({ repository, trees }: Forest, who: Somebody): Promise<boolean[]> {
  const load = createLoaders(scopeOf(repository, who));
  const found = await load.documentById.loadMany(trees.flatMap(({ ids }) => ids));
  return found.map((document) => !(document instanceof Error));
}

/** The documents on the pages of children that a user sees. */
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

/** Reports the seed of a failure, without its hundreds of documents. */
const reporter = <Ts>({ failed, seed, errorInstance }: fc.RunDetails<Ts>): void => {
  if (failed) throw new Error(`with the seed ${seed}: ${String(errorInstance)}`);
};

const settings = { endOnFailure: true, reporter };

describe('§2.5 the effective ACL of a document', () => {
  test(`is the same in lists, for single documents and in a model of the contract, in ${cases} cases`, async () => {
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

  test('is correct after every change of ACLs', async () => {
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
  });
});
