import { isDeepStrictEqual } from 'node:util';
import type { Document, DocumentBlob } from '../../../src/generated/prisma/client.ts';
import { relationFacets } from '../../../src/model/facets-of.ts';

const key = ({ repository, id }: { repository: string; id: string | null }): string => `${repository}/${id}`;

/** The faults of a version, given its document. */
function faultsOfVersion(version: Document, live: Document): string[] {
  const is: Record<string, boolean> = {
    'has a parent': version.parentId !== null,
    'is checked out': version.isCheckedOut,
    'is locked': version.lockOwner !== null,
    'has no time': version.versionCreated === null,
    'is of a version or a proxy': live.isVersion || live.isProxy,
    'is elsewhere than its document': version.path !== live.path,
    'is not below its document': version.ancestorIds.join() !== [...live.ancestorIds, live.id].join(),
    'has other ACEs than its document': version.aclId !== live.aclId,
    'is a proxy': version.isProxy || version.targetId !== null,
  };
  return Object.keys(is).filter((fault) => is[fault]);
}

/** Whether a proxy shows a rendition of its version. */
const isRendition = ({ facets }: Document): boolean => facets.includes('Rendition');

/** The facets without those of a proxy's own relations. */
const content = ({ facets }: Document): string[] => facets.filter((facet) => !relationFacets.includes(facet));

/** The faults of a proxy, given its version. */
function faultsOfProxy(proxy: Document, target: Document): string[] {
  const always = ['title', 'majorVersion', 'minorVersion'] as const;
  const copied = isRendition(proxy) ? always : ([...always, 'type', 'properties'] as const);
  const is: Record<string, boolean> = {
    'shows no version': !target.isVersion,
    'shows a version of another document': proxy.liveId !== target.liveId,
    'has no place': proxy.parentId === null,
    'is checked out': proxy.isCheckedOut,
    'has other facets than its version':
      !isRendition(proxy) && !isDeepStrictEqual(content(proxy), content(target)),
    'holds something else than its version': copied.some(
      (field) => !isDeepStrictEqual(proxy[field], target[field]),
    ),
  };
  return Object.keys(is).filter((fault) => is[fault]);
}

const newest = (versions: readonly Document[]): Document | undefined =>
  versions.toSorted(
    (a, b) =>
      (b.majorVersion ?? 0) - (a.majorVersion ?? 0) ||
      (b.minorVersion ?? 0) - (a.minorVersion ?? 0) ||
      (a.id < b.id ? 1 : -1),
  )[0];

/** The latest versions of a document, computed from all its versions. */
function faultsOfHistory(live: Document, versions: readonly Document[]): string[] {
  const [latest, major] = [
    newest(versions),
    newest(versions.filter(({ minorVersion }) => minorVersion === 0)),
  ];
  const wrong = versions.filter(
    (version) =>
      version.isLatestVersion !== (version === latest) ||
      version.isLatestMajorVersion !== (version === major),
  );
  const faults = wrong.map(({ id }) => `says of ${id} that it is the latest, or does not`);
  const base = versions.find(({ id }) => id === live.baseVersionId);
  if (!live.isCheckedOut && !live.isProxy && !base) faults.push('is checked in on no version');
  return faults;
}

/** Names the mismatches between versions, proxies and their documents. */
export function wrongVersions(documents: readonly Document[], blobs: readonly DocumentBlob[]): string[] {
  const found: string[] = [];
  const byKey = new Map(documents.map((document) => [key(document), document]));
  const at = (repository: string, id: string | null) => byKey.get(key({ repository, id }));
  const digests = new Map<string, string[]>();
  for (const { repository, documentId, xpath, digest } of blobs) {
    const owner = key({ repository, id: documentId });
    digests.set(owner, [...(digests.get(owner) ?? []), `${xpath} ${digest}`].sort());
  }

  for (const document of documents) {
    const say = (faults: string[]) =>
      found.push(...faults.map((fault) => `${document.path} (${document.id}) ${fault}`));
    const live = at(document.repository, document.liveId);
    if (document.isVersion) say(live ? faultsOfVersion(document, live) : ['is a version of nothing']);
    else if (document.isProxy) {
      const target = at(document.repository, document.targetId);
      say(target ? faultsOfProxy(document, target) : ['is a proxy of nothing']);
      const recorded = [document, target].map((each) => each && digests.get(key(each)));
      if (!isRendition(document) && !isDeepStrictEqual(recorded[0], recorded[1]))
        say(['has other blobs recorded than its version']);
    } else {
      if (document.liveId !== null || document.targetId !== null) say(['is neither version nor proxy']);
      const { repository, id } = document;
      const versions = documents.filter(
        (version) => version.isVersion && version.repository === repository && version.liveId === id,
      );
      say(faultsOfHistory(document, versions));
    }
  }
  return found;
}
