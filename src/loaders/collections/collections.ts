import { ascending } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { ListPageArguments } from '../lists/list-definition.ts';
import { defineList } from '../lists/list-loader.ts';
import type { PageResult } from '../lists/page-loader.ts';

const collectionsOfMember = defineList<object, DocumentRow>({
  name: 'collections',
  from: 'collection_member m JOIN document d ON d.repository = m.repository AND d.id = m.collection_id',
  where: 'm.repository = $1 AND NOT d.is_trashed AND NOT d.is_version',
  ofKey: (equals) => `m.member_id ${equals}`,
  order: [ascending('d.title', 'text')],
  tieBreak: ascending('d.id', 'uuid'),
  hasReadableOnly: true,
  isUncounted: true,
});

/** Reads the first readable collections that contain a document, ordered by title (§4.9). */
export function collectionsOf(
  scope: Scope,
  access: Access,
): (member: string, limit: number) => Promise<readonly DocumentRow[]> {
  const load = collectionsOfMember(scope, access);
  return async (member, limit) =>
    (await load({}, { pageSize: limit, offset: 0, largest: limit }, member)).rows;
}

const members = defineList<object, DocumentRow>({
  name: 'members',
  from: 'collection_member m JOIN document d ON d.repository = m.repository AND d.id = m.member_id',
  where: 'm.repository = $1 AND NOT d.is_trashed',
  ofKey: (equals) => `m.collection_id ${equals}`,
  order: [ascending('m.position', 'bigint')],
  tieBreak: ascending('m.member_id', 'uuid'),
  hasReadableOnly: true,
});

type MembersPageArguments = Pick<ListPageArguments, 'pageSize' | 'offset' | 'maxResults' | 'cursor'>;

/** Reads pages of the readable members of a collection, in the order of the collection, omitting trashed ones. */
export function membersOf(
  scope: Scope,
  access: Access,
): (collection: string, page: MembersPageArguments) => Promise<PageResult<DocumentRow>> {
  const load = members(scope, access);
  return (collection, { pageSize, offset, maxResults, cursor }) =>
    load({}, { pageSize, offset, maxResults, cursor }, collection);
}
