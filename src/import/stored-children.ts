import type { Client, Query } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';

/** What an import must know of a document that is there already. */
export type Child = Pick<DocumentRow, 'id' | 'parentId' | 'name' | 'type' | 'facets' | 'title'>;

/** A place in the tree. */
export interface Place {
  readonly parentId: string;
  readonly name: string;
}

const query: Query = {
  name: 'import-stored-children',
  text: `
    SELECT d.id, d.parent_id AS "parentId", d.name, d.type, d.facets, d.title
    FROM unnest($2::uuid[], $3::text[]) AS wanted (parent_id, name)
    JOIN document d ON d.repository = $1 AND d.parent_id = wanted.parent_id AND d.name = wanted.name`,
};

const key = (parentId: string | null, name: string): string => `${parentId}/${name}`;

/** Finds out, in one statement, which of the places are taken and by what. */
export async function storedChildren(
  client: Client,
  repository: string,
  places: readonly Place[],
): Promise<(place: Place) => Child | undefined> {
  const parents = places.map(({ parentId }) => parentId);
  const names = places.map(({ name }) => name);
  const rows = places.length > 0 ? await client.query<Child>(query, [repository, parents, names]) : [];
  const found = new Map(rows.map((row) => [key(row.parentId, row.name), row]));
  return ({ parentId, name }) => found.get(key(parentId, name));
}
