import { createHash } from 'node:crypto';

/** All of a document that we look at, as one text; undefined when it is not there. */
export type State = string | undefined;

/** A document that we asked for at some time; its path is never used again. */
export interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  uid: string | undefined;
  /** What the server last said it is. */
  acknowledged: State;
}

/** One request that writes: what it turns documents into, all of them or none. */
export interface Change {
  readonly kind: 'create' | 'update' | 'delete' | 'grant' | 'tag';
  readonly to: ReadonlyMap<Entry, State>;
}

/** Text of a blob, under the name that a document shows. */
export interface Content {
  readonly name: string;
  readonly text: string;
}

const digested = ({ name, text }: Content): [string, string, number] => {
  const bytes = Buffer.from(text, 'utf8');
  return [name, createHash('sha256').update(bytes).digest('hex'), bytes.byteLength];
};

/** The parts of a state. */
interface Parts {
  readonly title: string;
  /** Changes by the server, and by users: the change token. */
  readonly server: number;
  readonly user: number;
  /** Name, digest and length of each. */
  readonly blobs: ReadonlyArray<readonly [string, string, number]>;
  /** The ACEs of the local ACL, as `username:permission`. */
  readonly grants: readonly string[];
  readonly tags: readonly string[];
}

const write = ({ title, server, user, blobs, grants, tags }: Parts): string =>
  JSON.stringify({ title, server, user, blobs, grants, tags });

const read = (state: string): Parts => JSON.parse(state);

/** What a document is to be that is created, from what is sent. */
export const newState = (title: string, contents: readonly Content[] = []): string =>
  write({ title, server: 0, user: 0, blobs: contents.map(digested), grants: [], tags: [] });

/** What a document is to be whose properties are changed. */
export const updated = (state: string, title: string, contents: readonly Content[]): string => {
  const before = read(state);
  return write({ ...before, title, user: before.user + 1, blobs: contents.map(digested) });
};

/** What a document is to be whose local ACL becomes one ACE. */
export const granted = (state: string, grant: string): string => write({ ...read(state), grants: [grant] });

/** What a document is to be that gets a tag that it does not have. */
export const tagged = (state: string, tag: string): string => {
  const before = read(state);
  return write({ ...before, server: before.server + 1, tags: [...before.tags, tag].sort() });
};

interface ShownBlob {
  readonly name: string;
  readonly digest: string;
  readonly length: string;
}

/** A document as answers show it. */
export interface Shown {
  readonly uid: string;
  readonly path: string;
  readonly type: string;
  readonly changeToken: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly contextParameters: {
    readonly acls: ReadonlyArray<{ readonly name: string; readonly aces: readonly Ace[] }>;
    readonly tags: readonly string[];
  };
}

interface Ace {
  readonly username: string;
  readonly permission: string;
}

/** What a document is, from an answer. */
export function shownState({ properties, changeToken, contextParameters: { acls, tags } }: Shown): State {
  const content = properties['file:content'] as ShownBlob | null | undefined;
  const files = (properties['files:files'] ?? []) as ReadonlyArray<{ readonly file: ShownBlob }>;
  const blobs = [...(content ? [content] : []), ...files.map(({ file }) => file)];
  const [server = 0, user = 0] = changeToken.split('-').map(Number);
  const local = acls.find(({ name }) => name === 'local')?.aces ?? [];
  return write({
    ...{ title: String(properties['dc:title']), server, user, tags },
    blobs: blobs.map(({ name, digest, length }) => [name, digest, Number(length)]),
    grants: local.map(({ username, permission }) => `${username}:${permission}`),
  });
}

/** Everything that was asked for, what was acknowledged of it, and what may or may not have happened. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  readonly inFlight = new Set<Change>();
  /** Writes that were acknowledged, in all. */
  acknowledged = 0;
  /** Writes that were under way when the server was killed, in all. */
  cutOff = 0;
  /** Writes that the server was too busy for, in all. */
  refused = 0;

  begin(change: Change): void {
    for (const entry of change.to.keys()) this.entries.set(entry.path, entry);
    this.inFlight.add(change);
  }

  /** Paths of all documents that should be there. */
  paths(): Set<string> {
    const there = [...this.entries.values()].filter(({ acknowledged }) => acknowledged !== undefined);
    return new Set(there.map(({ path }) => path));
  }

  /** The server said that it is done. */
  acknowledge(change: Change, uid?: string): void {
    for (const [entry, state] of change.to) {
      entry.acknowledged = state;
      if (change.kind === 'create') entry.uid = uid;
    }
    this.acknowledged += 1;
    this.inFlight.delete(change);
  }

  /** The server said that it does nothing of it. */
  refuse(change: Change): void {
    this.refused += 1;
    this.inFlight.delete(change);
  }

  /**
   * Holds what is there against what was acknowledged, and takes over what became of the requests that were cut off.
   * @returns every difference that nothing explains.
   */
  settle(shown: ReadonlyMap<string, Shown>): string[] {
    const faults: string[] = [];
    const stateOf = ({ path }: Entry): State => {
      const document = shown.get(path);
      return document && shownState(document);
    };
    for (const change of this.inFlight) {
      this.cutOff += 1;
      const isDone = [...change.to].every(([entry, state]) => stateOf(entry) === state);
      // What was not done is compared below, like all that nobody asked for.
      if (!isDone) continue;
      for (const [entry, state] of change.to) {
        entry.acknowledged = state;
        entry.uid ??= shown.get(entry.path)?.uid;
      }
    }
    this.inFlight.clear();
    for (const entry of this.entries.values()) {
      const [is, uid] = [stateOf(entry), shown.get(entry.path)?.uid];
      entry.uid ??= uid;
      if (is !== entry.acknowledged) faults.push(`${entry.path} is ${is}, and was ${entry.acknowledged}`);
      else if (is !== undefined && uid !== entry.uid) faults.push(`${entry.path} is another one: ${uid}`);
      entry.acknowledged = is; // told once
    }
    for (const path of shown.keys()) {
      if (!this.entries.has(path)) faults.push(`${path} was never asked for`);
    }
    return faults;
  }
}
