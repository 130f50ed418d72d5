import { createHash } from 'node:crypto';

/** All of a document that we look at, as one text; undefined when it is not there. */
export type State = string | undefined;

/** Text of a blob, under the name that a document shows. */
export interface Content {
  readonly name: string;
  readonly text: string;
}

/** Name, digest and length. */
type Blob = readonly [string, string, number];

const digested = ({ name, text }: Content): Blob => {
  const bytes = Buffer.from(text, 'utf8');
  return [name, createHash('sha256').update(bytes).digest('hex'), bytes.byteLength];
};

/** What a document was when it was checked in. */
interface Version {
  readonly label: string;
  readonly title: string;
  readonly blobs: readonly Blob[];
}

/** The parts of a state. */
interface Parts {
  readonly title: string;
  /** Changes by the server, and by users: the change token. */
  readonly server: number;
  readonly user: number;
  readonly blobs: readonly Blob[];
  /** The ACEs of the local ACL, as `username:permission`. */
  readonly grants: readonly string[];
  readonly tags: readonly string[];
  /** In the order in which they were made. */
  readonly versions: readonly Version[];
  /** The label, with a plus when it has been changed since. */
  readonly label: string;
  readonly isTrashed: boolean;
}

const write = (parts: Parts): string => {
  const { title, server, user, blobs, grants, tags, versions, label, isTrashed } = parts;
  return JSON.stringify({ title, server, user, blobs, grants, tags, versions, label, isTrashed });
};

const read = (state: string): Parts => JSON.parse(state);

/** What a document is to be with other parts. */
const changed = (state: string, change: (before: Parts) => Partial<Parts>): string => {
  const before = read(state);
  return write({ ...before, ...change(before) });
};

/** What a document is to be that is created, from what is sent. */
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

/** Whether checking a document in makes a version. */
export const isOut = (state: string): boolean => isCheckedOut(read(state));

export const titleIn = (state: string): string => read(state).title;

/** Whether a document is in the trash, by itself or with what is above it. */
export const isInTrash = (state: string): boolean => read(state).isTrashed;

/** What a document is to be whose properties are changed. */
export const updated = (state: string, title: string, contents: readonly Content[]): string =>
  changed(state, (before) => ({
    title,
    user: before.user + 1,
    blobs: contents.map(digested),
    label: isCheckedOut(before) ? before.label : `${before.label}+`,
  }));

/** What a document is to be whose local ACL becomes one ACE. */
export const granted = (state: string, grant: string): string => changed(state, () => ({ grants: [grant] }));

/** What a document is to be that gets a tag that it does not have. */
export const tagged = (state: string, tag: string): string =>
  changed(state, ({ server, tags }) => ({ server: server + 1, tags: [...tags, tag].sort() }));

/** What a document is to be of which a version is made. */
export const checkedIn = (state: string, increment: 'major' | 'minor'): string =>
  changed(state, ({ server, title, blobs, versions }) => {
    const [major = 0, minor = 0] = (versions.at(-1)?.label ?? '0.0').split('.').map(Number);
    const label = increment === 'major' ? `${major + 1}.0` : `${major}.${minor + 1}`;
    return { server: server + 1, label, versions: [...versions, { label, title, blobs }] };
  });

/** What a document is to be that a review has approved: a transition of its life cycle, and a minor version. */
export const approved = (state: string): string =>
  changed(checkedIn(state, 'minor'), ({ user }) => ({ user: user + 1 }));

/** What the copy of a document is to be. */
export const copied = (state: string): string =>
  changed(state, () => ({ server: 0, user: 0, versions: [], label: '' }));

/** What a document is to be that is moved, by itself or with what is above it. */
export const moved = (state: string): string => changed(state, ({ server }) => ({ server: server + 1 }));

/** What a document is to be that comes into the trash, or out of it: the one that was asked for, or one below it. */
export const trashed = (state: string, isTrashed: boolean, isTop: boolean): string =>
  changed(state, ({ server, user }) => ({
    // Coming out, it gets its name back and loses the mark, one after the other.
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

/** What answers show of a document, and of a version. */
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

/** What a document is, from answers. */
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
