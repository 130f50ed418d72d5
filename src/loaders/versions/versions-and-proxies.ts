import { ascending, descending } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { ListPageArguments } from '../lists/list-definition.ts';
import { defineList } from '../lists/list-loader.ts';
import type { PageResult } from '../lists/page-loader.ts';

// Lists of the versions and proxies of documents (§11). The keys are the ids of live documents.

const ofLiveDocument = {
  from: 'document d',
  ofKey: (equals: string) => `d.live_id ${equals}`,
  tieBreak: ascending('d.id', 'uuid'),
};

const versionsInOrder = {
  ...ofLiveDocument,
  order: [descending('d.version_created', 'timestamptz')],
  tieBreak: descending('d.id', 'uuid'),
  hasReadableOnly: true,
} as const;

const lists = {
  versions: defineList<object, DocumentRow>({
    ...versionsInOrder,
    name: 'versions',
    where: 'd.repository = $1 AND d.is_version',
  }),
  latest: defineList<object, DocumentRow>({
    ...versionsInOrder,
    name: 'latest-versions',
    where: 'd.repository = $1 AND d.is_latest_version',
  }),
  proxies: defineList<object, DocumentRow>({
    ...ofLiveDocument,
    name: 'proxies',
    where: 'd.repository = $1 AND d.is_proxy',
    order: [ascending('d.path', 'text')],
    hasReadableOnly: true,
  }),
};

type VersionPageArguments = Pick<ListPageArguments, 'pageSize' | 'offset' | 'cursor'>;

/** Reads pages of readable versions (newest first, or only the latest one) or of readable proxies (ordered by path). */
export function versionOrProxyPages(
  scope: Scope,
  access: Access,
  kind: keyof typeof lists,
): (liveId: string, page: VersionPageArguments) => Promise<PageResult<DocumentRow>> {
  const load = lists[kind](scope, access);
  return (liveId, page) => load({}, page, liveId);
}
