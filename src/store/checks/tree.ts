import { statement } from '../../db/statement.ts';
import type { Check } from './check.ts';
import { checkDocuments, documentsOf, faultsQuery, findBy } from './document-slices.ts';

/** SQL of the path of a child. */
const pathBelow = (path: string, name: string): string =>
  `CASE WHEN ${path} = '/' THEN '' ELSE ${path} END || '/' || ${name}`;

/** SQL: such a document is not moved (§11). */
export const retained = (document: string): string =>
  `(${document}.has_legal_hold OR coalesce(${document}.retain_until > now(), false))`;

const find = faultsQuery(
  'check-tree',
  `SELECT fault.kind, d.repository, d.id, d.path, fault.message
  FROM slice s JOIN document d ON d.repository = s.repository AND d.id = s.id
  LEFT JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
  CROSS JOIN LATERAL (VALUES
    ('root', 'has no parent, and is no root',
      d.parent_id IS NULL AND (d.path <> '/' OR d.name <> '' OR d.ancestor_ids <> '{}')),
    ('root', 'is not the only root', d.parent_id IS NULL AND EXISTS (
      SELECT FROM document o WHERE o.path = '/' AND o.repository = d.repository AND o.id <> d.id AND NOT o.is_version)),
    ('parent', 'its parent ' || d.parent_id || ' is not there', d.parent_id IS NOT NULL AND p.id IS NULL),
    ('path', 'should be at ' || ${pathBelow('p.path', 'd.name')}, d.path <> ${pathBelow('p.path', 'd.name')}),
    ('ancestors', 'its ancestors do not follow from its parent',
      p.id IS NOT NULL AND d.ancestor_ids <> p.ancestor_ids || p.id),
    ('name', 'another document of the folder has its name', EXISTS (
      SELECT FROM document o
      WHERE o.repository = d.repository AND o.parent_id = d.parent_id AND o.name = d.name AND o.id <> d.id)),
    ('trash', 'is not in the trash, and its folder is', p.is_trashed AND NOT d.is_trashed)
  ) AS fault (kind, message, is_so)
  WHERE NOT d.is_version AND fault.is_so`,
);

// From the parents down, since `parent_id` is what a foreign key holds: what is below a faulty document
// follows it. Of two ways to a document the longer one begins at the higher fault. Circles have no place in
// the tree.
const mend = statement('mend-tree')`
  WITH RECURSIVE way AS (
    SELECT d.repository, d.id, 0 AS depth, ${pathBelow('p.path', 'd.name')} AS path,
      p.ancestor_ids || p.id AS ancestor_ids, p.is_trashed OR d.is_trashed AS is_trashed
    FROM unnest($1::text[], $2::uuid[]) AS faulty (repository, id)
    JOIN document d ON d.repository = faulty.repository AND d.id = faulty.id
    JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
    UNION ALL
    SELECT d.repository, d.id, way.depth + 1, ${pathBelow('way.path', 'd.name')},
      way.ancestor_ids || way.id, way.is_trashed OR d.is_trashed
    FROM way JOIN document d ON d.repository = way.repository AND d.parent_id = way.id
  ) CYCLE repository, id SET is_circle USING trail,
  wanted AS (
    SELECT DISTINCT ON (repository, id) * FROM way
    WHERE NOT EXISTS (SELECT FROM way circle WHERE circle.is_circle)
    ORDER BY repository, id, depth DESC
  )
  UPDATE document d
  SET path = wanted.path, ancestor_ids = wanted.ancestor_ids, is_trashed = wanted.is_trashed,
    system_token = d.system_token + 1
  FROM wanted WHERE d.repository = wanted.repository AND d.id = wanted.id AND NOT ${retained('d')}
    AND (d.path, d.ancestor_ids, d.is_trashed) IS DISTINCT FROM (wanted.path, wanted.ancestor_ids, wanted.is_trashed)`;

/** Path, ancestors and trash follow from the parent; names are unique in a folder. */
export const treeCheck: Check = {
  name: 'tree',
  run: async (context) => {
    await checkDocuments(context, {
      find: findBy(find),
      mend: (db, faults) => db.query(mend, documentsOf(faults)),
    });
    return undefined;
  },
};
