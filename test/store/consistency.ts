import { afterEach, expect } from '@jest/globals';
import { labelsOf, normalizeLabel } from '../../src/model/tags.ts';
import type { StoredProperties } from '../../src/model/values/stored.ts';
import { compareIndex } from '../../src/store/search/compare-index.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { wrongAcls } from './acls/acl-consistency.ts';
import { wrongVersions } from './versions/version-consistency.ts';

/**
 * Reads all tables and names their inconsistencies: a missing parent, a path or ancestors that do not extend those of
 * the parent, a name that is not the end of the path, a version at another path than its live document, a document
 * outside the trash in a trashed folder, a blob without its document or its file, a wrong effective ACL, a membership
 * that one of its ends lacks, a tag or words that do not match the document, and versions and proxies that do not
 * match their documents.
 */
export async function contradictions(server: TestServer): Promise<string[]> {
  const { database, blobs } = server;
  const { prisma } = database;
  const [documents, rows] = await Promise.all([prisma.document.findMany(), prisma.documentBlob.findMany()]);
  const key = (repository: string, id: string | null) => `${repository}/${id}`;
  const byKey = new Map(documents.map((document) => [key(document.repository, document.id), document]));
  const found = await wrongAcls(server);

  found.push(...wrongVersions(documents, rows));
  for (const document of documents) {
    const { repository, id, parentId, ancestorIds, name, path } = document;
    const where = `${repository}:${path} (${id})`;
    if (document.isVersion) {
      const live = byKey.get(key(repository, document.liveId));
      if (parentId !== null || path !== live?.path || name !== live.name)
        found.push(`${where}: its live document`);
      if (ancestorIds.join() !== [...(live?.ancestorIds ?? []), live?.id].join())
        found.push(`${where}: its ancestors`);
      continue;
    }
    if (parentId === null) {
      if (path !== '/' || name !== '' || ancestorIds.length > 0) found.push(`${where} is no root`);
      continue;
    }
    const parent = byKey.get(key(repository, parentId));
    if (!parent) {
      found.push(`${where} has no parent`);
      continue;
    }
    const expected = parent.path === '/' ? `/${name}` : `${parent.path}/${name}`;
    if (path !== expected) found.push(`${where} should be at ${expected}`);
    if (ancestorIds.join() !== [...parent.ancestorIds, parent.id].join())
      found.push(`${where}: its ancestors`);
    if (parent.isTrashed && !document.isTrashed)
      found.push(`${where} is not in the trash that its folder is in`);
  }

  for (const { repository, documentId, xpath, digest } of rows) {
    const where = `${repository}:${documentId} at ${xpath}`;
    if (!byKey.has(key(repository, documentId))) found.push(`${where} has no document`);
    if ((await blobs.lengthOf(digest)) === undefined) found.push(`${where} has no file ${digest}`);
  }

  const [memberships, tags] = await Promise.all([
    prisma.collectionMember.findMany(),
    prisma.documentTag.findMany(),
  ]);
  for (const { repository, collectionId, memberId } of memberships) {
    const [collection, member] = [collectionId, memberId].map((id) => byKey.get(key(repository, id)));
    if (!collection || !member) found.push(`${collectionId} with ${memberId}: one of them is not there`);
    if (!collection?.isVersion && !member?.facets.includes('CollectionMember'))
      found.push(`${memberId} does not tell of a collection`);
  }
  const labelled = documents.flatMap(({ repository, id, properties }) =>
    labelsOf(properties as StoredProperties).map(
      (label) => `${repository}/${id} ${[...normalizeLabel(label)].slice(0, 255).join('')}`,
    ),
  );
  const indexed = tags.map(({ repository, documentId, label }) => `${repository}/${documentId} ${label}`);
  const [those, these] = [new Set(labelled), new Set(indexed)];
  for (const tag of those) if (!these.has(tag)) found.push(`the tag ${tag} does not find its document`);
  for (const tag of these) if (!those.has(tag)) found.push(`no document has the tag ${tag}`);
  for (const { repository, documentId, aclId, label } of tags) {
    const document = byKey.get(key(repository, documentId));
    const isFound = document && !document.isVersion && !document.isTrashed;
    if (aclId !== (isFound ? document.aclId : null))
      found.push(`the ACL of the tag ${label} of ${documentId}`);
  }

  await until(async () => (await server.searchIndex.catchUp(database)).isCaughtUp);
  const { signal } = new AbortController();
  const { differing } = await compareIndex(database, { isCheck: true, onProgress: () => {}, signal });
  if (differing > 0) found.push(`${differing} rows of the search index differ from their documents`);

  const places = documents
    .filter(({ isVersion }) => !isVersion)
    .map(({ repository, path }) => repository + path);
  if (new Set(places).size !== places.length) found.push('a path is taken twice');
  const roots = documents.filter(({ parentId, isVersion }) => parentId === null && !isVersion);
  if (new Set(roots.map(({ repository }) => repository)).size !== roots.length) found.push('a second root');
  return found;
}

/** Expects after each test that all tables are consistent. */
export function checkConsistency(server: TestServer): void {
  afterEach(async () => {
    expect(await contradictions(server)).toEqual([]);
  });
}
