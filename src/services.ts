import type { Logger } from 'pino';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Config } from './config.ts';
import type { ConverterParameters, FileFacts, Purpose } from './converters/converter.ts';
import type { ConversionPath } from './converters/index.ts';
import type { Tools } from './converters/programs/programs.ts';
import type { Client, Database } from './db/database.ts';
import type { MemoryBudget } from './db/memory-budget.ts';
import type { AppError } from './errors.ts';
import type { Model } from './model/model.ts';
import type { MarkdownType } from './model/notes.ts';
import type { StoredBlob } from './model/values/stored.ts';
import type { Secrets } from './secrets.ts';
import type { LoginAttempts } from './security/login-attempts.ts';

export interface LocalExecution {
  readonly id: string;
  readonly userId: string;
  readonly repository: string;
  readonly operation: string;
}

/** The executions that this process runs. */
export interface RunningExecutions {
  /** Not one that has been aborted. */
  find(id: string): LocalExecution | undefined;
  /** Makes the next statement of one fail with the reason. */
  abort(id: string, reason: AppError): void;
  /**
   * Runs the work of one.
   * @param stopping aborted when the process stops; the signal of the work is also aborted with the
   * execution, here or in another process.
   */
  run(
    execution: LocalExecution,
    stopping: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
}

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export interface AwaitedResponse {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Whether searches find what is committed, and by how many milliseconds they are behind if not. */
export type IndexState = { readonly isCaughtUp: boolean; readonly behind: number };

/** What a request waits with for its turn. */
export interface RequestTurn {
  readonly user: string;
  /** When the request has to be answered, by `performance.now()`. */
  readonly deadline: number;
  /** Whether it holds a connection while it waits too, as transactions do that search. */
  readonly isConnected: boolean;
  readonly isWrite: boolean;
  /** A subscription, which may last as long, counts as an execution. */
  readonly origin: 'request' | 'execution' | 'server';
  readonly signal: AbortSignal | undefined;
  /** Absent once the request has been answered. */
  response: AwaitedResponse | undefined;
}

export interface Turns {
  /** @throws Unavailable when too many others wait, and when it has waited for too long. */
  take<T>(turn: RequestTurn, work: () => Promise<T>): Promise<T>;
}

export interface LongWait {
  /** By `performance.now()`. */
  readonly end: number;
  readonly isOver: () => boolean;
}

/** The rows that searches read, which are written after the answer to a write. */
export interface SearchIndex {
  /**
   * Waits until searches find what is committed, unless that takes too long. It does not on a replica, where
   * they find what their caller has written.
   * @param user does not wait for large documents that others have written; absent: everything is waited for.
   */
  catchUp(db: Pick<Client, 'query' | 'replica'>, user?: string): Promise<IndexState>;
  /** The same with the words of files, whose jobs `jobsOfOwnFiles` finds; it may wait longer for them. */
  catchUpWithFiles(
    db: Pick<Client, 'query'>,
    own: { readonly user: string; readonly jobs: readonly string[] },
  ): Promise<IndexState>;
  /** Waits until searches find what is committed, with the words of all files. @returns whether they do. */
  findsAll(db: Pick<Client, 'query'>, wait: LongWait): Promise<boolean>;
  /** Runs a search of a transaction, with what that has written, and once others are waited for, theirs. */
  withinTransaction<T>(
    db: Pick<Client, 'query' | 'aside'>,
    search: (query: Client['query']) => Promise<T>,
    caller: { readonly user: string; readonly isWaiting: boolean },
  ): Promise<{ readonly found: T; readonly state: IndexState }>;
  changed(): void;
}

export type ConvertedFile = Pick<StoredBlob, 'digest' | 'mimeType'>;

/** What a conversion depends on beside its file. */
export interface ConversionDetails {
  /** Files that follow the first one. */
  readonly others?: readonly ConvertedFile[];
  /** Of the converter, as it reads them. */
  readonly parameters?: ConverterParameters;
}

export type KeptFile = StoredBlob & {
  /** Of the views of pictures, of films and of sounds. */
  readonly facts?: FileFacts;
};

/** Files that are made of other files, once for equal bytes. */
export interface KeptConversions {
  /** What there is to convert with beside the converters themselves. */
  readonly tools: Tools;
  /**
   * @returns null for a file of which this cannot be made.
   * @throws Invalid for parameters that do not suit the file; Unavailable when too many wait to be converted.
   */
  of(
    db: Pick<Client, 'query' | 'replica'>,
    makes: Purpose,
    source: ConvertedFile,
    details?: ConversionDetails,
  ): Promise<KeptFile | null>;
  /** The same by one of the ways, of which there may be several. */
  along(
    db: Pick<Client, 'query' | 'replica'>,
    path: ConversionPath,
    source: ConvertedFile,
    details?: ConversionDetails,
  ): Promise<KeptFile | null>;
}

/** What the server did in a minute, as `/metrics` counts it. */
export interface MetricSample {
  /** The end of the minute. */
  readonly at: Date;
  readonly requests: number;
  /** Requests that ended with a status of 500 or more. */
  readonly failures: number;
  /** Requests that were refused because of the load. */
  readonly refused: number;
  /** Of a request; 0 without any. */
  readonly meanMilliseconds: number;
  readonly cpuSeconds: number;
  /** In use at the end. */
  readonly memoryBytes: number;
  /** By which timers were late, of 99 in 100. */
  readonly lagMilliseconds: number;
  readonly waitingJobs: number;
  /** Set aside. */
  readonly failedJobs: number;
}

interface DownloadedDocument {
  readonly repository: string;
  readonly uid: string;
  readonly path: string;
  readonly type: string;
  readonly state: string;
  readonly facets: readonly string[];
}

export interface Download {
  readonly username: string;
  readonly document: DownloadedDocument;
  readonly name: string | null;
  readonly digest: string;
  readonly isRange: boolean;
}

/**
 * Log-ins and downloads (§2.6), which must neither slow a request nor fail it: they are collected in memory
 * and written every second, many in one statement. A process that dies loses the last second.
 */
export interface Journal {
  loggedIn(login: { readonly username: string; readonly method: string; readonly address: string }): void;
  /** Written after the minute, with the number of failures. */
  loginFailed(address: string, account: string | undefined): void;
  loggedOut(who: { readonly username: string; readonly address: string }): void;
  downloaded(download: Download): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * What a process makes once, when it starts, for all requests and jobs. It is passed on whole; a function that
 * needs only a part of it takes a `Pick` of it.
 */
export interface Services {
  /** All settings: what needs one reads it here. */
  readonly config: Config;
  readonly log: Logger;
  /** Within a request, `db` of its context is to be used in its place. */
  readonly database: Database;
  readonly model: Model;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  /** Made for callers, who wait for a while until their file is converted. */
  readonly conversions: KeptConversions;
  /** The same for jobs, which wait for their turn as long as it takes. */
  readonly jobConversions: KeptConversions;
  readonly journal: Journal;
  /** Recent log-ins that failed. */
  readonly attempts: LoginAttempts;
  readonly executing: RunningExecutions;
  readonly searchIndex: SearchIndex;
  readonly searchTurns: Turns;
  readonly archiveTurns: Turns;
  readonly transactionTurns: Turns;
  readonly memoryBudget: MemoryBudget;
  /** The media type that notes made of Markdown files get: the forms of answers decide. */
  readonly markdownType: MarkdownType;
  /** Of the last hour, the oldest first. */
  readonly metricSamples: () => readonly MetricSample[];
}
