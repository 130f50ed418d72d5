import { LRUCache } from 'lru-cache';
import type { Client } from '../db/database.ts';
import { cutBytes } from '../model/names.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { documentCategory, type Entry, insertEntries, isTraced } from './audit.ts';

/** How often what was noted is written, in milliseconds. */
const interval = 1_000;

/** The same thing again within this time, in milliseconds, is no other event; failures are summed over it. */
const minute = 60_000;

/** A part of a file within this time of another one, in milliseconds, goes on with the same download. */
const hour = 3_600_000;

/** Events known of late; entries that wait while the database is away; accounts whose failures are told apart. */
const most = { known: 10_000, waiting: 10_000, failing: 1_000 };

/** An account of a failure is whatever somebody wrote: so many bytes of it are kept. */
const longestAccount = 255;

/** A document that a file is of. */
export interface Holder {
  readonly repository: string;
  readonly uid: string;
  readonly path: string;
  readonly type: string;
  readonly state: string;
  readonly facets: readonly string[];
}

/** A file that was sent. */
export interface Download {
  readonly username: string;
  readonly document: Holder;
  readonly name: string | null;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  /** Whether it was a range of its bytes. */
  readonly isPart: boolean;
}

/**
 * Events that no write of a request tells of (§2.6): they are noted at no cost, and written soon after, many in one
 * statement. What was not written yet when a process dies is lost.
 */
export interface Journal {
  /** Somebody's credentials were found to be right. */
  loggedIn(login: { readonly username: string; readonly method: string; readonly address: string }): void;
  /** Somebody's were not; written once the minute is over, with how many there were. */
  loginFailed(address: string, account: string | undefined): void;
  /** Somebody says that he is done. */
  loggedOut(who: { readonly username: string; readonly address: string }): void;
  downloaded(download: Download): void;
  /** Writes what has come so far, sums included. */
  flush(): Promise<void>;
  /** The same, for the last time. */
  close(): Promise<void>;
}

/** Told once when entries cannot be written, for as long as they cannot; they are kept for another try. */
export type OnJournalError = (error: unknown) => void;

const loginEntry = (eventId: string, username: string, extended: Entry['extended']): Entry => ({
  ...{ repository: '', event_id: eventId, category: 'NuxeoAuthentication', principal_name: username },
  ...{ comment: null, doc_uuid: null, doc_path: null, doc_type: null, doc_life_cycle: null },
  ...{ event_date: new Date().toISOString(), extended },
});

const downloadEntry = ({ username, document, name, digest }: Download): Entry => ({
  ...{ repository: document.repository, event_id: 'download', category: documentCategory },
  ...{ principal_name: username, comment: name, doc_uuid: document.uid, doc_path: document.path },
  ...{ doc_type: document.type, doc_life_cycle: document.state, event_date: new Date().toISOString() },
  extended: { blobFilename: name, blobDigest: digest },
});

/** What may stand for an account in the database. */
const asAccount = (account: string): string =>
  cutBytes(account.replaceAll('\0', '').toWellFormed(), longestAccount);

interface Failures {
  readonly entry: Entry;
  readonly until: number;
  count: number;
}

/** Failures by account and address; those of too many are one sum. */
function createFailures(clock: { now(): number }) {
  const sums = new Map<string, Failures>();
  return {
    add: (address: string, account = '') => {
      const own = JSON.stringify([address, account]);
      const isOwn = sums.has(own) || sums.size < most.failing;
      const key = isOwn ? own : '';
      const entry = () =>
        isOwn ? loginEntry('loginFailed', account, { address }) : loginEntry('loginFailed', '', {});
      const sum = sums.get(key) ?? { entry: entry(), until: clock.now() + minute, count: 0 };
      sum.count += 1;
      sums.set(key, sum);
    },
    /** Takes out those whose minute is over, or all of them. */
    take: (isAll: boolean): Entry[] => {
      const due = [...sums].filter(([, { until }]) => isAll || until <= clock.now());
      for (const [key] of due) sums.delete(key);
      return due.map(([, { entry, count }]) => ({ ...entry, extended: { ...entry.extended, count } }));
    },
  };
}

/** @param clock what the time is, in milliseconds. */
export function createJournal(
  db: Pick<Client, 'query'>,
  onError: OnJournalError,
  clock: { now(): number } = performance,
): Journal {
  const known = new LRUCache<string, number>({ max: most.known });
  const failures = createFailures(clock);
  const inTurn = oneAtATime();
  let waiting: Entry[] = [];
  let isFailing = false;

  const note = (entry: Entry, lifetime = minute): void => {
    const { event_id, principal_name, doc_uuid, extended } = entry;
    const key = JSON.stringify([event_id, principal_name, doc_uuid, extended]);
    const before = known.get(key);
    const isKnown = before !== undefined && clock.now() - before < lifetime;
    if (!isKnown || lifetime === hour) known.set(key, clock.now());
    if (!isKnown && waiting.length < most.waiting) waiting.push(entry);
  };

  const write = (isAll: boolean): Promise<void> =>
    inTurn(async () => {
      const entries = [...waiting, ...failures.take(isAll)];
      if (entries.length === 0) return;
      waiting = [];
      try {
        await insertEntries(db, entries);
        isFailing = false;
      } catch (error) {
        waiting = [...entries, ...waiting].slice(0, most.waiting);
        if (!isFailing) onError(error);
        isFailing = true;
      }
    });

  const timer = setInterval(() => void write(false), interval);
  timer.unref();
  return {
    loggedIn: ({ username, method, address }) =>
      note(loginEntry('loginSuccess', username, { method, address })),
    loggedOut: ({ username, address }) => note(loginEntry('logout', username, { address })),
    loginFailed: (address, account) => failures.add(address, account && asAccount(account)),
    downloaded: (download) => {
      if (isTraced(download.document.facets)) note(downloadEntry(download), download.isPart ? hour : minute);
    },
    flush: () => write(true),
    close: () => {
      clearInterval(timer);
      return write(true);
    },
  };
}
