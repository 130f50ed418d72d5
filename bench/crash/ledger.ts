import type { State } from './state.ts';

/**
 * Something that a request has created, such as a document. Its path is never reused: a document that is moved gets
 * a new entry.
 */
export interface Entry {
  /**
   * The path. For a trashed document, this is the path that it had before. Uploads and workflows have made-up paths.
   */
  readonly path: string;
  readonly sort: 'document' | 'upload' | 'workflow';
  readonly isFolder: boolean;
  /** The id; undefined for a copy until the copy has been read. */
  uid: string | undefined;
  /** The state that the server last acknowledged. */
  acknowledged: State;
}

/** The state of an entry as the server returns it. */
export interface Seen {
  readonly uid: string;
  readonly state: State;
}

/** The kinds of requests that do not change documents. */
type Reading = 'search' | 'rendition';

export type Kind =
  | ('create' | 'update' | 'delete' | 'grant' | 'tag')
  | ('check in' | 'copy' | 'move' | 'trash' | 'untrash')
  | ('new upload' | 'chunk' | 'attach')
  | Reading
  | ('start workflow' | 'end task' | 'cancel workflow');

/** The effect of one request on entries. The effect is atomic: it happens completely or not at all. */
export interface Change {
  readonly kind: Kind;
  /** The entry whose id the response contains. */
  readonly made?: Entry;
  readonly to: ReadonlyMap<Entry, State>;
}

/** Records all requests, all acknowledged changes, and all changes whose outcome is unknown. */
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
  /** The number of writes that the server rejected because it was overloaded. */
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

  /** Records that the server rejected a change. */
  refuse(change: Change): void {
    this.refused += 1;
    this.inFlight.delete(change);
  }

  /**
   * Compares the actual state with the acknowledged one, and determines which of the interrupted requests took effect.
   * @returns descriptions of all differences that cannot be explained by requests
   */
  settle(shown: ReadonlyMap<string, Seen>): string[] {
    const faults: string[] = [];
    const stateOf = ({ path }: Entry): State => shown.get(path)?.state;
    for (const change of this.inFlight) {
      if (change.to.size > 0) this.cutOff += 1;
      const isDone = [...change.to].every(([entry, state]) => stateOf(entry) === state);
      // If the change did not take effect, its entries are compared below, like all others.
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
      if (is !== entry.acknowledged)
        faults.push(`${entry.path} is ${is}, but the acknowledged state is ${entry.acknowledged}`);
      else if (is !== undefined && uid !== entry.uid)
        faults.push(`${entry.path} is a different document: ${uid}`);
      entry.acknowledged = is; // The new state is recorded, so that each difference is reported only once.
      if (is !== undefined) continue;
      if (entry.uid) this.gone.add(entry.uid);
      this.entries.delete(entry.path); // The entry is removed, so that a document that reappears is reported as unexplained.
    }
    for (const [path, { uid }] of shown) {
      this.gone.delete(uid); // The document has been moved.
      if (!this.entries.has(path)) faults.push(`${path} exists, but no request created it`);
    }
    return faults;
  }
}
