import type { Query } from '../db/database.ts';
import { typesWith } from '../model/facets-of.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { byKey } from './batch.ts';
import { usual, visible } from './children.ts';
import { onlyReadable, readableValues } from './readable.ts';

/** What can be asked about what is in a document: §4.9 has an enricher of the name for each. */
export type About = 'hasContent' | 'hasFolderishChild';

/** Administrators see every document; of others', the ACL is looked at until one is found that grants. */
const views = { all: 'document d', readable: `document d ${onlyReadable(6)}` };

/**
 * Both questions in one statement, since a page may well ask both: $2 are the documents of the one, $4 of the other.
 * Folders by type and by a facet of their own are looked for apart, each in an index that leads past the files.
 */
function queryOf(view: keyof typeof views): Query {
  const seen = views[view];
  return {
    name: `${view}-content`,
    text: `
      SELECT 'hasContent' AS about, p.id AS of FROM unnest($2::uuid[]) AS p (id)
      WHERE EXISTS (SELECT FROM ${seen} WHERE ${usual})
        OR EXISTS (
          SELECT FROM ${seen} JOIN collection_member m ON m.repository = d.repository AND m.member_id = d.id
          WHERE m.repository = $1 AND m.collection_id = p.id AND ${visible}
        )
      UNION ALL
      SELECT 'hasFolderishChild', p.id FROM unnest($4::uuid[]) AS p (id)
      WHERE EXISTS (
        SELECT 1 FROM ${seen} WHERE ${usual} AND d.type = ANY($5::text[])
        UNION ALL
        SELECT 1 FROM ${seen} WHERE ${usual} AND 'Folderish' = ANY(d.facets)
      )`,
  };
}

const queries = { all: queryOf('all'), readable: queryOf('readable') };

interface ContentRow {
  readonly about: About;
  readonly of: string;
}

/** Whether there is something in a document that people see and the caller may read: a child, a member, a folder. */
export function contentOf(
  scope: Scope,
  access: Access,
): (about: About, document: string) => Promise<boolean> {
  const { db, model, options, user } = scope;
  const hidden = typesWith(model, 'HiddenInNavigation');
  const folders = typesWith(model, 'Folderish');
  const loader = byKey<string, ContentRow>(
    (keys) => {
      const asked = (about: About) =>
        keys.filter((key) => key.startsWith(`${about}/`)).map((key) => key.slice(about.length + 1));
      const values = [options.repository, asked('hasContent'), hidden, asked('hasFolderishChild'), folders];
      return user.isAdministrator
        ? db.query(queries.all, values)
        : db.query(queries.readable, [...values, ...readableValues(user, 'Read', access.now)]);
    },
    ({ about, of }) => `${about}/${of}`,
  );
  return async (about, document) => (await loader.load(`${about}/${document}`)) !== null;
}
