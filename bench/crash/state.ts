import { createHash } from 'node:crypto';

/** The observed state of a document as one text; undefined if the document does not exist. */
export type State = string | undefined;

/** The text and the name of a blob. */
export interface Content {
  readonly name: string;
  readonly text: string;
}

/** The name, digest and length of a blob. */
type Blob = readonly [string, string, number];

const digested = ({ name, text }: Content): Blob => {
  const bytes = Buffer.from(text, 'utf8');
  return [name, createHash('sha256').update(bytes).digest('hex'), bytes.byteLength];
};

/** The state of a document at its check-in. */
interface Version {
  readonly label: string;
  readonly title: string;
  readonly blobs: readonly Blob[];
}

/** The parts of a state. */
interface Parts {
  readonly title: string;
  /** The number of changes by the server, and by users, which form the change token. */
  readonly server: number;
  readonly user: number;
  readonly blobs: readonly Blob[];
  /** The ACEs of the local ACL, as `username:permission`. */
  readonly grants: readonly string[];
  readonly tags: readonly string[];
  /** The versions in the order of their creation. */
  readonly versions: readonly Version[];
  /** The version label, with a plus if the document has been changed since. */
  readonly label: string;
  readonly isTrashed: boolean;
}

const write = (parts: Parts): string => {
  const { title, server, user, blobs, grants, tags, versions, label, isTrashed } = parts;
  return JSON.stringify({ title, server, user, blobs, grants, tags, versions, label, isTrashed });
};

const read = (state: string): Parts => JSON.parse(state);

/** The expected state of a document after some of its parts change. */
const changed = (state: string, change: (before: Parts) => Partial<Parts>): string => {
  const before = read(state);
  return write({ ...before, ...change(before) });
};

/** The expected state of a new document. */
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

/** Whether the document is checked out, so that checking it in creates a version. */
export const isOut = (state: string): boolean => isCheckedOut(read(state));

export const titleIn = (state: string): string => read(state).title;

/** Whether a document is in the trash, either itself or with one of its ancestors. */
export const isInTrash = (state: string): boolean => read(state).isTrashed;

/** The expected state of a document after a change of its properties. */
export const updated = (state: string, title: string, contents: readonly Content[]): string =>
  changed(state, (before) => ({
    title,
    user: before.user + 1,
    blobs: contents.map(digested),
    label: isCheckedOut(before) ? before.label : `${before.label}+`,
  }));

/** The expected state of a document after its local ACL is replaced by one ACE. */
export const granted = (state: string, grant: string): string => changed(state, () => ({ grants: [grant] }));

/** The expected state of a document after it gets a new tag. */
export const tagged = (state: string, tag: string): string =>
  changed(state, ({ server, tags }) => ({ server: server + 1, tags: [...tags, tag].sort() }));

/** The expected state of a document after a check-in. */
export const checkedIn = (state: string, increment: 'major' | 'minor'): string =>
  changed(state, ({ server, title, blobs, versions }) => {
    const [major = 0, minor = 0] = (versions.at(-1)?.label ?? '0.0').split('.').map(Number);
    const label = increment === 'major' ? `${major + 1}.0` : `${major}.${minor + 1}`;
    return { server: server + 1, label, versions: [...versions, { label, title, blobs }] };
  });

/** The expected state of a document after a review has approved it: a life cycle transition and a minor version. */
export const approved = (state: string): string =>
  changed(checkedIn(state, 'minor'), ({ user }) => ({ user: user + 1 }));

/** The expected state of a copy of a document. */
export const copied = (state: string): string =>
  changed(state, () => ({ server: 0, user: 0, versions: [], label: '' }));

/** The expected state of a document after it, or one of its ancestors, is moved. */
export const moved = (state: string): string => changed(state, ({ server }) => ({ server: server + 1 }));

/**
 * The expected state of a document after it is trashed or restored.
 * @param isTop whether the request named this document, and not one of its ancestors.
 */
export const trashed = (state: string, isTrashed: boolean, isTop: boolean): string =>
  changed(state, ({ server, user }) => ({
    // Restoring a document takes two changes: it gets its name back, and then loses the trash flag.
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

/** A document or a version as answers show it. */
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

/** A document as answers show it, with its versions. */
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

/** The state of a document, computed from responses. */
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
