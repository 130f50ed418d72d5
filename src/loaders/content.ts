import type { Query } from '../db/database.ts';
import { typesWith } from '../model/facets-of.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { byKey } from './batch.ts';
import { usual, visible } from './children.ts';
import { isGranting, readableValues } from './readable.ts';

/** What can be asked about what is in a document: §4.9 has an enricher of the name for each. */
export type About = 'hasContent' | 'hasFolderishChild';

/** Administrators see every document; of others', the ACL is looked at until one is found that grants. */
const views = {
  all: { documents: 'document d', isSeen: 'true' },
  readable: {
    documents: 'document d JOIN effective_acl a ON a.repository = d.repository AND a.id = d.acl_id',
    isSeen: isGranting(6),
  },
};

/** Both questions in one statement, since a page may well ask both: $2 are the documents of the one, $4 of the other. */
function queryOf(view: keyof typeof views): Query {
  const { documents, isSeen } = views[view];
  return {
    name: `${view}-content`,
    text: `
      SELECT 'hasContent' AS about, p.id AS of FROM unnest($2::uuid[]) AS p (id)
      WHERE EXISTS (SELECT FROM ${documents} WHERE ${usual} AND ${isSeen})
        OR EXISTS (
          SELECT FROM ${documents} JOIN collection_member m ON m.repository = d.repository AND m.member_id = d.id
          WHERE m.repository = $1 AND m.collection_id = p.id AND ${visible} AND ${isSeen}
        )
      UNION ALL
      SELECT 'hasFolderishChild', p.id FROM unnest($4::uuid[]) AS p (id)
      WHERE EXISTS (
        SELECT FROM ${documents}
        WHERE ${usual} AND (d.type = ANY($5::text[]) OR 'Folderish' = ANY(d.facets)) AND ${isSeen}
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
