import type { Document } from '../../src/generated/prisma/client.ts';

const numberOf = ({ majorVersion, minorVersion }: Document): string => `${majorVersion}.${minorVersion}`;

const byNumber = (a: Document, b: Document): number =>
  a.majorVersion - b.majorVersion || a.minorVersion - b.minorVersion;

/** Of one document: numbers are taken once, the last ones are marked so, and each stands where its document does. */
function faultsOf(live: Document, versions: readonly Document[]): string[] {
  const sorted = versions.toSorted(byNumber);
  const [latest, latestMajor] = [sorted.at(-1), sorted.findLast(({ minorVersion }) => minorVersion === 0)];
  const faults: string[] = [];
  const check = (isSo: boolean, fault: string) => {
    if (!isSo) faults.push(`${live.path} (${live.id}): ${fault}`);
  };
  check(new Set(sorted.map(numberOf)).size === sorted.length, 'two versions of the same number');
  for (const version of sorted) {
    const { path, ancestorIds, isLatestVersion, isLatestMajorVersion } = version;
    check(path === live.path, `version ${numberOf(version)} is at ${path}`);
    check(
      `${ancestorIds}` === `${[...live.ancestorIds, live.id]}`,
      `version ${numberOf(version)}: other ancestors`,
    );
    check(isLatestVersion === (version === latest), `version ${numberOf(version)}: whether it is the latest`);
    check(
      isLatestMajorVersion === (version === latestMajor),
      `version ${numberOf(version)}: the latest major`,
    );
  }
  const base = versions.find(({ id }) => id === live.baseVersionId);
  if (!live.isCheckedOut)
    check(base !== undefined && base === latest, 'checked in, and not on its latest version');
  if (latest) check(numberOf(live) === numberOf(latest), `has the number ${numberOf(live)}`);
  return faults;
}

/** Versions and the documents that they are of fit together. */
export function versionFaults(documents: readonly Document[]): string[] {
  const versions = new Map<string, Document[]>();
  for (const document of documents) {
    const { isVersion, liveId } = document;
    if (isVersion) versions.set(liveId ?? '', [...(versions.get(liveId ?? '') ?? []), document]);
  }
  const live = documents.filter(({ isVersion }) => !isVersion);
  const known = new Set(live.map(({ id }) => id));
  const orphans = [...versions.keys()].filter((id) => !known.has(id));
  return [
    ...orphans.map((id) => `versions of ${id}, which is not there`),
    ...live.flatMap((document) => faultsOf(document, versions.get(document.id) ?? [])),
  ];
}
