import { createHash } from 'node:crypto';

/** The observed state of a document as text; undefined if the document does not exist. */
export type State = string | undefined;

export interface Content {
  readonly name: string;
  readonly text: string;
}

type Blob = readonly [string, string, number];

const digested = ({ name, text }: Content): Blob => {
  const bytes = Buffer.from(text, 'utf8');
  return [name, createHash('sha256').update(bytes).digest('hex'), bytes.byteLength];
};

/** The state of a document when it was checked in. */
interface Version {
  readonly label: string;
  readonly title: string;
  readonly blobs: readonly Blob[];
}

interface Parts {
  readonly title: string;
  /** The numbers of changes by the server and by users, which together form the change token. */
  readonly server: number;
  readonly user: number;
  readonly blobs: readonly Blob[];
  /** The ACEs of the local ACL, as `username:permission`. */
  readonly grants: readonly string[];
  readonly tags: readonly string[];
  /** The versions in the order of their creation. */
  readonly versions: readonly Version[];
  /** The version label, followed by a plus sign if the document has changed since the version was created. */
  readonly label: string;
  readonly isTrashed: boolean;
}

const write = (parts: Parts): string => {
  const { title, server, user, blobs, grants, tags, versions, label, isTrashed } = parts;
  return JSON.stringify({ title, server, user, blobs, grants, tags, versions, label, isTrashed });
};

const read = (state: string): Parts => JSON.parse(state);

/** Returns the expected state of a document after some parts of its state have changed. */
const changed = (state: string, change: (before: Parts) => Partial<Parts>): string => {
  const before = read(state);
  return write({ ...before, ...change(before) });
};

/** Returns the expected state of a new document. */
export const newState = (title: string, contents: readonly Content[] = []): string =>
  write({
    title,
    server: 0,
    user: 0,
    blobs: contents.map(digested),
    grants: [],
    tags: [],
    versions: [],
    label: '',
    isTrashed: false,
  });

const isCheckedOut = ({ label }: Parts): boolean => label === '' || label.endsWith('+');

/** Returns whether the document is checked out. If it is, checking it in creates a version. */
export const isOut = (state: string): boolean => isCheckedOut(read(state));

export const titleIn = (state: string): string => read(state).title;

/** Returns whether a document is in the trash, whether it was trashed itself or together with an ancestor. */
export const isInTrash = (state: string): boolean => read(state).isTrashed;

/** Returns the expected state of a document after its properties have changed. */
export const updated = (state: string, title: string, contents: readonly Content[]): string =>
  changed(state, (before) => ({
    title,
    user: before.user + 1,
    blobs: contents.map(digested),
    label: isCheckedOut(before) ? before.label : `${before.label}+`,
  }));

/** Returns the expected state of a document after its local ACL has been replaced by a single ACE. */
export const granted = (state: string, grant: string): string => changed(state, () => ({ grants: [grant] }));

/** Returns the expected state of a document after a tag has been added. */
export const tagged = (state: string, tag: string): string =>
  changed(state, ({ server, tags }) => ({ server: server + 1, tags: [...tags, tag].sort() }));

/** Returns the expected state of a document after a check-in. */
export const checkedIn = (state: string, increment: 'major' | 'minor'): string =>
  changed(state, ({ server, title, blobs, versions }) => {
    const [major = 0, minor = 0] = (versions.at(-1)?.label ?? '0.0').split('.').map(Number);
    const label = increment === 'major' ? `${major + 1}.0` : `${major}.${minor + 1}`;
    return { server: server + 1, label, versions: [...versions, { label, title, blobs }] };
  });

/**
 * Returns the expected state of a document after a review has approved it. Approval follows a life cycle transition and
 * creates a minor version.
 */
export const approved = (state: string): string =>
  changed(checkedIn(state, 'minor'), ({ user }) => ({ user: user + 1 }));

/** Returns the expected state of a copy of a document. */
export const copied = (state: string): string =>
  changed(state, () => ({ server: 0, user: 0, versions: [], label: '' }));

/** Returns the expected state of a document after it or one of its ancestors has been moved. */
export const moved = (state: string): string => changed(state, ({ server }) => ({ server: server + 1 }));

/**
 * Returns the expected state of a document after it has been trashed or restored.
 * @param isTop whether the request named this document rather than one of its ancestors
 */
export const trashed = (state: string, isTrashed: boolean, isTop: boolean): string =>
  changed(state, ({ server, user }) => ({
    // The server restores a document in two changes: first it restores the name, then it clears the trash flag.
    isTrashed,
    server: server + (isTrashed ? 1 : 2),
    user: user + (isTop ? 1 : 0),
  }));

interface ShownBlob {
  readonly name: string;
  readonly digest: string;
  readonly length: string;
}

interface Ace {
  readonly username: string;
  readonly permission: string;
}

/** A document or a version, as responses represent it. */
export interface Entity {
  readonly uid: string;
  readonly path: string;
  readonly type: string;
  readonly changeToken: string;
  readonly isTrashed: boolean;
  readonly versionLabel: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly contextParameters: {
    readonly acls: ReadonlyArray<{ readonly name: string; readonly aces: readonly Ace[] }>;
    readonly tags: readonly string[];
  };
}

/** A document with its versions, as responses represent it. */
export interface Shown extends Entity {
  readonly versions: readonly Entity[];
}

const titleOf = ({ properties }: Entity): string => String(properties['dc:title']);

function blobsOf({ properties }: Entity): Blob[] {
  const content = properties['file:content'] as ShownBlob | null | undefined;
  const files = (properties['files:files'] ?? []) as ReadonlyArray<{ readonly file: ShownBlob }>;
  const blobs = [...(content ? [content] : []), ...files.map(({ file }) => file)];
  return blobs.map(({ name, digest, length }) => [name, digest, Number(length)]);
}

/** Computes the state of a document from responses. */
export function shownState(shown: Shown): State {
  const [server = 0, user = 0] = shown.changeToken.split('-').map(Number);
  const { acls, tags } = shown.contextParameters;
  const local = acls.find(({ name }) => name === 'local')?.aces ?? [];
  return write({
    title: titleOf(shown),
    server,
    user,
    tags,
    blobs: blobsOf(shown),
    grants: local.map(({ username, permission }) => `${username}:${permission}`),
    label: shown.versionLabel,
    isTrashed: shown.isTrashed,
    versions: shown.versions.map((version) => ({
      label: version.versionLabel,
      title: titleOf(version),
      blobs: blobsOf(version),
    })),
  });
}
