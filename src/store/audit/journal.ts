import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Client } from '../../db/database.ts';
import type { EventName } from '../../model/event-names.ts';
import { truncateBytes } from '../../model/names.ts';
import type { Download, Journal } from '../../services.ts';
import { addUse, countUses, noUses, recordUses } from '../tokens/last-uses.ts';
import { documentCategory, insertLogEntries, isTraced, type NewLogEntry } from './audit.ts';

/** The interval between two writes of pending entries, in milliseconds. */
const interval = 1_000;

/**
 * The period, in milliseconds, in which a repeated event is logged only once and failed log-ins are counted together.
 */
const minute = 60_000;

/** The period, in milliseconds, during which further range requests for a file count as the same download. */
const hour = 3_600_000;

/**
 * The maximum number of remembered events (`known`), of entries waiting to be written to the database (`waiting`), of
 * accounts whose failed log-ins are counted separately (`failing`), and of credentials whose use is waiting to be
 * written (`used`).
 */
const max = { known: 10_000, waiting: 10_000, failing: 1_000, used: 10_000 };

/** The maximum length of an account name in bytes. It is limited because a failed log-in can contain any string. */
const maxAccount = 255;

/**
 * Called when entries cannot be written to the database. Once it has been called, it is not called again until writing
 * has succeeded. The entries stay in memory and are written later.
 */
type OnJournalError = (error: unknown) => void;

const loginEntry = (
  eventId: EventName,
  username: string,
  extended: NewLogEntry['extended'],
): NewLogEntry => ({
  repository: '',
  event_id: eventId,
  category: 'NuxeoAuthentication',
  principal_name: username,
  comment: null,
  doc_uuid: null,
  doc_path: null,
  doc_type: null,
  doc_life_cycle: null,
  event_date: new Date().toISOString(),
  extended,
});

const downloadEntry = ({ username, document, name, digest }: Download): NewLogEntry => ({
  repository: document.repository,
  event_id: 'download' satisfies EventName,
  category: documentCategory,
  principal_name: username,
  comment: name,
  doc_uuid: document.uid,
  doc_path: document.path,
  doc_type: document.type,
  doc_life_cycle: document.state,
  event_date: new Date().toISOString(),
  extended: { blobFilename: name, blobDigest: digest },
});

const asAccount = (account: string): string =>
  truncateBytes(account.replaceAll('\0', '').toWellFormed(), maxAccount);

interface Failures {
  readonly entry: NewLogEntry;
  readonly until: number;
  count: number;
}

/**
 * Counts failed log-ins by account and address. When the maximum number of counters is reached, all further failures
 * share one counter.
 */
function createFailures(clock: { now(): number }) {
  const sums = new Map<string, Failures>();
  return {
    add: (address: string, account = '') => {
      const own = JSON.stringify([address, account]);
      const isOwn = sums.has(own) || sums.size < max.failing;
      const key = isOwn ? own : '';
      const entry = () =>
        isOwn ? loginEntry('loginFailed', account, { address }) : loginEntry('loginFailed', '', {});
      const sum = sums.get(key) ?? { entry: entry(), until: clock.now() + minute, count: 0 };
      sum.count += 1;
      sums.set(key, sum);
    },
    take: (isAll: boolean): NewLogEntry[] => {
      const due = [...sums].filter(([, { until }]) => isAll || until <= clock.now());
      for (const [key] of due) sums.delete(key);
      return due.map(([, { entry, count }]) => ({ ...entry, extended: { ...entry.extended, count } }));
    },
  };
}

/**
 * Collects log-ins, downloads and last uses of credentials in memory, and writes them once a second.
 * @param clock returns the time in milliseconds; tests can replace it
 */
export function createJournal(
  db: Pick<Client, 'query'>,
  onError: OnJournalError,
  clock: { now(): number } = performance,
): Journal {
  const known = new LRUCache<string, number>({ max: max.known });
  const failures = createFailures(clock);
  const oneAtATime = pLimit(1);
  let waiting: NewLogEntry[] = [];
  let isFailing = false;
  let uses = noUses();

  const note = (entry: NewLogEntry, lifetime = minute): void => {
    const { event_id, principal_name, doc_uuid, extended } = entry;
    const key = JSON.stringify([event_id, principal_name, doc_uuid, extended]);
    const before = known.get(key);
    const isKnown = before !== undefined && clock.now() - before < lifetime;
    if (!isKnown || lifetime === hour) known.set(key, clock.now());
    if (!isKnown && waiting.length < max.waiting) waiting.push(entry);
  };

  const writeUses = async (): Promise<void> => {
    if (countUses(uses) === 0) return;
    const written = uses;
    uses = noUses();
    // A failure is neither retried nor reported, because the next use of the credential is recorded anyway.
    await recordUses(db, written).catch(() => {});
  };

  const write = (isAll: boolean): Promise<void> =>
    oneAtATime(async () => {
      await writeUses();
      const entries = [...waiting, ...failures.take(isAll)];
      if (entries.length === 0) return;
      waiting = [];
      try {
        await insertLogEntries(db, entries);
        isFailing = false;
      } catch (error) {
        waiting = [...entries, ...waiting].slice(0, max.waiting);
        if (!isFailing) onError(error);
        isFailing = true;
      }
    });

  const timer = setInterval(() => void write(false), interval);
  timer.unref();
  return {
    loggedIn: ({ username, method, address }) =>
      note(loginEntry('loginSuccess', username, { method, address })),
    viewedAs: ({ username, as, address }) => note(loginEntry('viewedAs', username, { as, address })),
    loggedOut: ({ username, address }) => note(loginEntry('logout', username, { address })),
    loginFailed: (address, account) => failures.add(address, account && asAccount(account)),
    downloaded: (download) => {
      if (isTraced(download.document.facets)) note(downloadEntry(download), download.isRange ? hour : minute);
    },
    used: (credential) => {
      if (countUses(uses) < max.used) addUse(uses, credential);
    },
    flush: () => write(true),
    close: () => {
      clearInterval(timer);
      return write(true);
    },
  };
}
