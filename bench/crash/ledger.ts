import type { State } from './state.ts';

/** Something that a request has created. Its path is never used again; a moved document becomes another entry. */
export interface Entry {
  /** The path, which for a trashed document is the one outside of the trash. Uploads and workflows have made-up paths. */
  readonly path: string;
  readonly sort: 'document' | 'upload' | 'workflow';
  readonly isFolder: boolean;
  /** The id. That of a copy is known only after the copy has been seen. */
  uid: string | undefined;
  /** The state that the server last acknowledged. */
  acknowledged: State;
}

/** An entry as the server shows it. */
export interface Seen {
  readonly uid: string;
  readonly state: State;
}

/** The kinds of requests that change no document. */
type Reading = 'search' | 'rendition';

/** The kinds of requests. */
export type Kind =
  | ('create' | 'update' | 'delete' | 'grant' | 'tag')
  | ('check in' | 'copy' | 'move' | 'trash' | 'untrash')
  | ('new upload' | 'chunk' | 'attach')
  | Reading
  | ('start workflow' | 'end task' | 'cancel workflow');

/** The effect of one request on entries, which happens completely or not at all. */
export interface Change {
  readonly kind: Kind;
  /** The entry whose id the response reveals. */
  readonly made?: Entry;
  readonly to: ReadonlyMap<Entry, State>;
}

/** Records all requests, the acknowledged changes, and the changes that may or may not have happened. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  readonly inFlight = new Set<Change>();
  /** The ids of deleted documents. */
  readonly gone = new Set<string>();
  /** The number of acknowledged writes. */
  acknowledged = 0;
  /** The number of acknowledged writes of each kind. */
  readonly kinds = new Map<Kind, number>();
  /** The number of writes that were running when the server was killed. */
  cutOff = 0;
  /** The number of writes that the server refused because it was too busy. */
  refused = 0;

  begin(change: Change): void {
    for (const entry of change.to.keys()) this.entries.set(entry.path, entry);
    this.inFlight.add(change);
  }

  /** The paths of all documents that should exist. */
  paths(): Set<string> {
    const there = [...this.entries.values()].filter(
      ({ sort, acknowledged }) => sort === 'document' && acknowledged !== undefined,
    );
    return new Set(there.map(({ path }) => path));
  }

  /** Records that the server acknowledged a change. */
  acknowledge(change: Change, uid?: string): void {
    for (const [entry, state] of change.to) entry.acknowledged = state;
    if (change.made) change.made.uid = uid;
    if (change.to.size > 0) this.acknowledged += 1;
    this.kinds.set(change.kind, (this.kinds.get(change.kind) ?? 0) + 1);
    this.inFlight.delete(change);
  }

  /** Records that the server refused a change. */
  refuse(change: Change): void {
    this.refused += 1;
    this.inFlight.delete(change);
  }

  /**
   * Compares the actual state with the acknowledged one, and records which of the interrupted requests took effect.
   * @returns all differences that no request explains
   */
  settle(shown: ReadonlyMap<string, Seen>): string[] {
    const faults: string[] = [];
    const stateOf = ({ path }: Entry): State => shown.get(path)?.state;
    for (const change of this.inFlight) {
      if (change.to.size > 0) this.cutOff += 1;
      const isDone = [...change.to].every(([entry, state]) => stateOf(entry) === state);
      // The entries of a change that did not happen are compared below, like all others.
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
