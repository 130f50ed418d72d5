import { statement } from '../../db/statement.ts';
import type { Check } from './check.ts';
import { checkDocuments, documentsOf, faultsQuery, findBy } from './document-slices.ts';

/** SQL for the path of a child. */
const pathBelow = (path: string, name: string): string =>
  `CASE WHEN ${path} = '/' THEN '' ELSE ${path} END || '/' || ${name}`;

/** SQL condition that is true if the document is under retention or legal hold, so that it must not be moved (§11). */
export const retained = (document: string): string =>
  `(${document}.has_legal_hold OR coalesce(${document}.retain_until > now(), false))`;

// Each row of VALUES is a kind of fault; `is_so` tells whether the document has that fault.
const find = faultsQuery(
  'check-tree',
  `SELECT fault.kind, d.repository, d.id, d.path, fault.message
  FROM slice s JOIN document d ON d.repository = s.repository AND d.id = s.id
  LEFT JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
  CROSS JOIN LATERAL (VALUES
    ('root', 'has no parent and is not the root',
      d.parent_id IS NULL AND (d.path <> '/' OR d.name <> '' OR d.ancestor_ids <> '{}')),
    ('root', 'is not the only root', d.parent_id IS NULL AND EXISTS (
      SELECT FROM document o WHERE o.path = '/' AND o.repository = d.repository AND o.id <> d.id AND NOT o.is_version)),
    ('parent', 'its parent ' || d.parent_id || ' does not exist', d.parent_id IS NOT NULL AND p.id IS NULL),
    ('path', 'should be at ' || ${pathBelow('p.path', 'd.name')}, d.path <> ${pathBelow('p.path', 'd.name')}),
    ('ancestors', 'its ancestors do not match those of its parent',
      p.id IS NOT NULL AND d.ancestor_ids <> p.ancestor_ids || p.id),
    ('name', 'another document in the folder has the same name', EXISTS (
      SELECT FROM document o
      WHERE o.repository = d.repository AND o.parent_id = d.parent_id AND o.name = d.name AND o.id <> d.id)),
    ('trash', 'is not in the trash, but its folder is', p.is_trashed AND NOT d.is_trashed)
  ) AS fault (kind, message, is_so)
  WHERE NOT d.is_version AND fault.is_so`,
);

// Rewrites the paths, ancestors and trash flags of documents, from the parents down. `parent_id` is assumed to be
// correct, because a foreign key protects it.
//
// `below` walks from each faulty document through its subtree and computes the values. A document can be reached from
// several faulty ones; `expected` takes the longest walk, which starts at the highest of these. If the walk finds a
// cycle, nothing is changed, because the documents in a cycle have no correct path.
const repair = statement('repair-tree')`
  WITH RECURSIVE below AS (
    SELECT d.repository, d.id, 0 AS depth, ${pathBelow('p.path', 'd.name')} AS path,
      p.ancestor_ids || p.id AS ancestor_ids, p.is_trashed OR d.is_trashed AS is_trashed
    FROM unnest($1::text[], $2::uuid[]) AS faulty (repository, id)
    JOIN document d ON d.repository = faulty.repository AND d.id = faulty.id
    JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
    UNION ALL
    SELECT d.repository, d.id, below.depth + 1, ${pathBelow('below.path', 'd.name')},
      below.ancestor_ids || below.id, below.is_trashed OR d.is_trashed
    FROM below JOIN document d ON d.repository = below.repository AND d.parent_id = below.id
  ) CYCLE repository, id SET is_cycle USING trail,
  expected AS (
    SELECT DISTINCT ON (repository, id) * FROM below
    WHERE NOT EXISTS (SELECT FROM below b WHERE b.is_cycle)
    ORDER BY repository, id, depth DESC
  )
  UPDATE document d
  SET path = expected.path, ancestor_ids = expected.ancestor_ids, is_trashed = expected.is_trashed,
    system_token = d.system_token + 1
  FROM expected WHERE d.repository = expected.repository AND d.id = expected.id AND NOT ${retained('d')}
    AND (d.path, d.ancestor_ids, d.is_trashed) IS DISTINCT FROM (expected.path, expected.ancestor_ids, expected.is_trashed)`;

/**
 * Checks that paths, ancestors and trash flags are consistent with those of the parents, and that names are unique
 * within a folder.
 */
export const treeCheck: Check = {
  name: 'tree',
  run: async (context) => {
    await checkDocuments(context, {
      find: findBy(find),
      repair: (db, faults) => db.query(repair, documentsOf(faults)),
    });
    return undefined;
  },
};
