import { type RowWith, typed } from '../../db/columns.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { typesWithFacet } from '../../model/facets-of.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { readableJoin, readerStatement, readerValues } from '../acls/readable-sql.ts';
import { existenceLoader } from '../batch.ts';
import { hiddenTypes, visibleCondition } from './children.ts';

/** The names of the checks, which are also the names of their enrichers (§4.9). */
type ContentCheck = 'hasContent' | 'hasFolderishChild';

const isVisible = visibleCondition('$3');
const isVisibleChild = `d.repository = $1 AND d.parent_id = p.id AND NOT d.is_version AND ${isVisible}`;

/**
 * The FROM items for documents. For callers who are not administrators, ACLs are checked until a readable document is
 * found.
 */
const views = { all: 'document d', readable: `document d ${readableJoin(6)}` };

const contentRow = { about: typed<ContentCheck>('text'), of: 'uuid' } as const;
type ContentRow = RowWith<typeof contentRow>;

/**
 * One statement for both checks, because a page may need both. $2 contains the ids of the documents to check for
 * content, and $4 those to check for folderish children. Each EXISTS stops at the first hit. Children that are folders
 * because of their type and children that are folders because of one of their own facets are selected by two branches,
 * because each has an index that skips all files.
 */
function queryOf(view: keyof typeof views): Statement<ContentRow> {
  const seen = views[view];
  return statement(`${view}-content`, contentRow)`
    SELECT 'hasContent' AS about, p.id AS of FROM unnest($2::uuid[]) AS p (id)
    WHERE EXISTS (SELECT FROM ${seen} WHERE ${isVisibleChild})
      OR EXISTS (
        SELECT FROM ${seen} JOIN collection_member m ON m.repository = d.repository AND m.member_id = d.id
        WHERE m.repository = $1 AND m.collection_id = p.id AND ${isVisible}
      )
    UNION ALL
    SELECT 'hasFolderishChild', p.id FROM unnest($4::uuid[]) AS p (id)
    WHERE EXISTS (
      SELECT 1 FROM ${seen} WHERE ${isVisibleChild} AND d.type = ANY($5::text[])
      UNION ALL
      SELECT 1 FROM ${seen} WHERE ${isVisibleChild} AND 'Folderish' = ANY(d.facets)
    )`;
}

const queries = { all: queryOf('all'), readable: queryOf('readable') };

/**
 * Returns a function that performs the checks: `hasContent` looks for a visible, readable child or member, and
 * `hasFolderishChild` for a visible, readable child that is a folder.
 */
export function contentChecks(
  scope: Scope,
  access: Access,
): (about: ContentCheck, document: string) => Promise<boolean> {
  const { db, options, user } = scope;
  const { model } = scope.services;
  const hidden = hiddenTypes(model);
  const folders = typesWithFacet(model, 'Folderish');
  const [query, readable] = readerStatement(user, queries, readerValues(user, access.now));
  const loader = existenceLoader<string, ContentRow>(
    (keys) => {
      const idsOf = (about: ContentCheck) =>
        keys.filter((key) => key.startsWith(`${about}/`)).map((key) => key.slice(about.length + 1));
      const values = [options.repository, idsOf('hasContent'), hidden, idsOf('hasFolderishChild'), folders];
      return db.query(query, [...values, ...readable]);
    },
    ({ about, of }) => `${about}/${of}`,
  );
  return (about, document) => loader.load(`${about}/${document}`);
}
