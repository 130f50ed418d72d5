import type { State } from './state.ts';

/** A thing that we asked for at some time; its path is never used again: what is moved is another entry. */
export interface Entry {
  /** In the trash too, the path that it would have outside. Uploads and workflows have a path in the ledger alone. */
  readonly path: string;
  readonly sort: 'document' | 'upload' | 'workflow';
  readonly isFolder: boolean;
  /** Of a copy, known when it has been seen. */
  uid: string | undefined;
  /** What the server last said it is. */
  acknowledged: State;
}

/** What the server shows of a thing. */
export interface Seen {
  readonly uid: string;
  readonly state: State;
}

/** What changes no document. */
type Reading = 'search' | 'rendition';

/** What a request does. */
export type Kind =
  | ('create' | 'update' | 'delete' | 'grant' | 'tag')
  | ('check in' | 'copy' | 'move' | 'trash' | 'untrash')
  | ('new upload' | 'chunk' | 'attach')
  | Reading
  | ('start workflow' | 'end task' | 'cancel workflow');

/** One request: what it turns things into, all of them or none. */
export interface Change {
  readonly kind: Kind;
  /** What the answer shows, when its id tells something new. */
  readonly made?: Entry;
  readonly to: ReadonlyMap<Entry, State>;
}

/** Everything that was asked for, what was acknowledged of it, and what may or may not have happened. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  readonly inFlight = new Set<Change>();
  /** Ids of documents that were there and are gone. */
  readonly gone = new Set<string>();
  /** Writes that were acknowledged, in all, and of each kind. */
  acknowledged = 0;
  readonly kinds = new Map<Kind, number>();
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
    const there = [...this.entries.values()].filter(
      ({ sort, acknowledged }) => sort === 'document' && acknowledged !== undefined,
    );
    return new Set(there.map(({ path }) => path));
  }

  /** The server said that it is done. */
  acknowledge(change: Change, uid?: string): void {
    for (const [entry, state] of change.to) entry.acknowledged = state;
    if (change.made) change.made.uid = uid;
    if (change.to.size > 0) this.acknowledged += 1;
    this.kinds.set(change.kind, (this.kinds.get(change.kind) ?? 0) + 1);
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
  settle(shown: ReadonlyMap<string, Seen>): string[] {
    const faults: string[] = [];
    const stateOf = ({ path }: Entry): State => shown.get(path)?.state;
    for (const change of this.inFlight) {
      if (change.to.size > 0) this.cutOff += 1;
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
      if (is !== undefined) continue;
      if (entry.uid) this.gone.add(entry.uid);
      this.entries.delete(entry.path); // if it came back, nobody would have asked for it
    }
    for (const [path, { uid }] of shown) {
      this.gone.delete(uid); // it was moved
      if (!this.entries.has(path)) faults.push(`${path} was never asked for`);
    }
    return faults;
  }
}
