import fc from 'fast-check';
import type { Ace, NamedAcl } from '../../../src/security/acl.ts';
import { type Permission, permissions } from '../../../src/security/permissions.ts';
import { contentOf } from '../../support/permission-table.ts';

/** A document of a generated tree. */
export interface TreeNode {
  /** The index of its parent; the first one has its own index. */
  readonly parent: number;
  readonly acls: readonly NamedAcl[];
}

/** The user of a case. */
export interface Somebody {
  readonly id: string;
  readonly groups: readonly string[];
}

const users = ['ann', 'bob'];
const groups = ['staff', 'team', 'ann\'s "group"'];
const hour = 3_600_000;

/** Times so far from now that a slow test cannot reach them. */
const time = (base: number) =>
  fc.option(
    fc.constantFrom(-2, -1, 1, 2).map((hours) => new Date(base + hours * hour).toISOString()),
    { freq: 2 },
  );

const block: Ace = {
  username: 'Everyone',
  permission: 'Everything',
  granted: false,
  creator: null,
  begin: null,
  end: null,
};

const likely: readonly Permission[] = ['Read', 'ReadWrite', 'Everything', 'Browse'];

const ace = (base: number): fc.Arbitrary<Ace> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(block) },
    {
      weight: 8,
      arbitrary: fc.record({
        username: fc.constantFrom(...users, ...groups, 'Everyone', 'somebody else'),
        permission: fc.oneof(fc.constantFrom(...likely), fc.constantFrom(...permissions)),
        granted: fc.boolean(),
        creator: fc.constantFrom(null, 'ann'),
        begin: time(base),
        end: time(base),
      }),
    },
  );

const acls = (base: number): fc.Arbitrary<readonly NamedAcl[]> => {
  const list = fc.array(ace(base), { minLength: 1, maxLength: 3 });
  const local = list.map((aces) => [{ name: 'local', aces }]);
  const both = fc.tuple(list, list).map(([first, aces]) => [
    { name: 'routing/1', aces: first },
    { name: 'local', aces },
  ]);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: local },
    { weight: 1, arbitrary: both },
  );
};

/** Trees of up to eight documents with ACLs at any of them. */
export const tree = (base: number): fc.Arbitrary<readonly TreeNode[]> =>
  fc
    .array(fc.record({ parent: fc.nat(7), acls: acls(base) }), { minLength: 1, maxLength: 8 })
    .map((nodes) =>
      nodes.map((node, index) => ({ ...node, parent: Math.min(node.parent, Math.max(0, index - 1)) })),
    );

export const somebody: fc.Arbitrary<Somebody> = fc.record({
  id: fc.constantFrom(...users, 'nobody'),
  groups: fc.uniqueArray(fc.constantFrom(...groups)),
});

export const permission: fc.Arbitrary<Permission> = fc.oneof(
  fc.constantFrom(...likely),
  fc.constantFrom(...permissions),
);

/** §2.5 in its simplest form: up the tree, ACL by ACL, until one ACE decides. */
export function mayBy(
  nodes: readonly TreeNode[],
  at: number,
  { id, groups: memberOf }: Somebody,
  wanted: Permission,
  now: number,
): boolean {
  for (let index = at; ; index = nodes[index]?.parent ?? 0) {
    for (const { aces } of nodes[index]?.acls ?? []) {
      for (const { username, permission: given, granted, begin, end } of aces) {
        const isOver = end !== null && Date.parse(end) < now;
        const isToCome = begin !== null && Date.parse(begin) > now;
        const isMeant = username === id || username === 'Everyone' || memberOf.includes(username);
        if (!isOver && !isToCome && isMeant && contentOf(given as Permission).has(wanted)) return granted;
      }
    }
    if (index === 0) return false;
  }
}
