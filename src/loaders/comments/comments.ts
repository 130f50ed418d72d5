import type DataLoader from 'dataloader';
import { statement } from '../../db/statement.ts';
import {
  type CommentKind,
  commentedId,
  commentRootId,
  commentTypes,
} from '../../model/comments/comment-tree.ts';
import { ascending, descending } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { batchLoader, quickForFewKeys } from '../batch.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { ListPageArguments } from '../lists/list-definition.ts';
import { defineList } from '../lists/list-loader.ts';
import type { PageResult } from '../lists/page-loader.ts';

interface CommentFilter {
  readonly types: readonly string[];
  readonly xpath: string;
  /** The id of a document; matches comments at any depth below it. */
  readonly inside: string;
  /** The ids of documents; matches comments at any depth below one of them. */
  readonly below: readonly string[];
  readonly entityId: string;
}

const definition = {
  from: 'document d',
  where: 'd.repository = $1',
  ofKey: (equals: string) => `d.parent_id ${equals}`,
  filters: {
    types: (types: string) => `d.type = ANY(${types}::text[])`,
    xpath: (xpath: string) => `d.properties ->> 'annotation:xpath' = ${xpath}::text`,
    inside: (id: string) => `d.ancestor_ids @> ARRAY[${id}::uuid]`,
    below: (ids: string) => `d.ancestor_ids && ${ids}::uuid[]`,
    entityId: (id: string) => `d.properties ->> 'externalEntity:entityId' = ${id}::text`,
  },
  permission: 'Read',
} as const;

const newestFirst = defineList<CommentFilter, DocumentRow>({
  ...definition,
  name: 'comments',
  order: [descending("(d.properties ->> 'comment:creationDate')", 'text', { isNullable: true })],
  tieBreak: descending('d.id', 'uuid'),
});

// Returns the oldest comment first, because ids increase with time. A later comment with the same entityId therefore
// never takes its place.
const oldestFirst = defineList<CommentFilter, DocumentRow>({
  ...definition,
  name: 'external-comments',
  order: [],
  tieBreak: ascending('d.id', 'uuid'),
});

interface CommentOptions extends Partial<Omit<CommentFilter, 'types'>> {
  readonly kind: CommentKind;
}

type Parent = Pick<DocumentRow, 'id' | 'ancestorIds'>;

/**
 * Reads pages of readable comments, newest first.
 * @param parent the document or comment whose direct comments are read; if absent, only the filters apply
 */
export function comments(
  scope: Scope,
  access: Access,
): (options: CommentOptions, page: ListPageArguments, parent?: Parent) => Promise<PageResult<DocumentRow>> {
  const load = newestFirst(scope, access);
  return ({ kind, ...filter }, page, parent) => {
    const types = commentTypes(scope.services.model, kind);
    if (!parent) return load({ types, ...filter }, page);
    const key = commentedId(parent) === undefined ? commentRootId(parent.id) : parent.id;
    return load({ types, ...filter }, page, key);
  };
}

interface ExternalCommentOptions {
  readonly kind: CommentKind;
  readonly inside: string;
  readonly entityId: string;
}

/**
 * Finds the comment that represents an external entity below a document. If there are several, the oldest one is
 * returned.
 */
export function commentOfEntity(
  scope: Scope,
  access: Access,
): (options: ExternalCommentOptions) => Promise<DocumentRow | undefined> {
  const load = oldestFirst(scope, access);
  return async ({ kind, ...filter }) => {
    const page = { pageSize: 1, offset: 0 };
    return (await load({ types: commentTypes(scope.services.model, kind), ...filter }, page)).rows[0];
  };
}

interface RepliesSummary {
  readonly of: string;
  readonly count: number;
  readonly last: string;
}

const summaries = quickForFewKeys(statement('replies-summaries', { of: 'uuid', count: 'int4', last: 'text' })`
  SELECT d.parent_id AS "of", count(*)::int AS count, max(d.properties ->> 'comment:creationDate') AS last
  FROM document d WHERE d.repository = $1 AND d.parent_id = ANY($2::uuid[]) AND d.type = ANY($3::text[])
  GROUP BY d.parent_id`);

/**
 * Returns a loader for the number of replies to a comment and the date of the latest reply. No permissions are checked,
 * because replies have the same ACL as the comment, which the caller has already read.
 */
export const repliesSummary = ({
  db,
  services: { model },
  options,
}: Scope): DataLoader<string, RepliesSummary | null> =>
  batchLoader(
    (ids) => db.query(summaries(ids), [options.repository, ids, commentTypes(model, 'Comment')]),
    ({ of }) => of,
  );
