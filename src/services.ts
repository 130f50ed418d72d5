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
import type { WordAnalysis } from './words/atoms.ts';

export interface LocalExecution {
  readonly id: string;
  readonly userId: string;
  readonly repository: string;
  readonly operation: string;
}

/** The asynchronous executions that run in this process. */
export interface RunningExecutions {
  /** Returns a running execution, unless it was aborted. */
  find(id: string): LocalExecution | undefined;
  /** Aborts an execution: its next statement fails with the reason. */
  abort(id: string, reason: AppError): void;
  /**
   * Runs the work of an execution.
   * @param stopping aborted when the process stops. The signal of the work is also aborted if the execution
   * is aborted, in this process or another.
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

/**
 * Whether searches find everything that is committed, and otherwise by how many milliseconds the index is
 * behind.
 */
export type IndexState = { readonly isCaughtUp: boolean; readonly behind: number };

/** A request in the queue for a turn to run. */
export interface RequestTurn {
  readonly user: string;
  /** The deadline of the request, as a value of `performance.now()`. */
  readonly deadline: number;
  /**
   * Whether the request holds a database connection while it waits, like a search inside a transaction does.
   */
  readonly isConnected: boolean;
  readonly isWrite: boolean;
  /** Who started the work. Subscriptions count as executions, because they can last as long. */
  readonly origin: 'request' | 'execution' | 'server';
  readonly signal: AbortSignal | undefined;
  /** The response; undefined after it was sent. */
  response: AwaitedResponse | undefined;
}

export interface Turns {
  /**
   * Runs work when it is its turn. @throws Unavailable if the queue is full or the wait exceeds its limit.
   */
  take<T>(turn: RequestTurn, work: () => Promise<T>): Promise<T>;
}

export interface LongWait {
  /** The end of the wait, as a value of `performance.now()`. */
  readonly end: number;
  readonly isOver: () => boolean;
}

/** The index rows that searches read. They are written after a write is answered. */
export interface SearchIndex {
  /**
   * Waits until searches find everything that is committed, up to a time limit. On a replica it does not
   * wait, since searches there find what their caller has written.
   * @param user the wait does not include large documents written by other users; undefined waits for
   * everything.
   */
  catchUp(db: Pick<Client, 'query' | 'replica'>, user?: string): Promise<IndexState>;
  /**
   * Like `catchUp`, but also waits for the words of files, whose jobs `jobsOfOwnFiles` finds. The time limit
   * can be longer.
   */
  catchUpWithFiles(
    db: Pick<Client, 'query'>,
    own: { readonly user: string; readonly jobs: readonly string[] },
  ): Promise<IndexState>;
  /**
   * Waits until searches find everything that is committed, including the words of all files. @returns
   * whether they do.
   */
  findsAll(db: Pick<Client, 'query'>, wait: LongWait): Promise<boolean>;
  /**
   * Runs a search inside a transaction. It finds the transaction's own writes and, after waiting for them,
   * those committed by others.
   */
  withinTransaction<T>(
    db: Pick<Client, 'query' | 'aside'>,
    search: (query: Client['query']) => Promise<T>,
    caller: { readonly user: string; readonly isWaiting: boolean },
  ): Promise<{ readonly found: T; readonly state: IndexState }>;
  changed(): void;
}

export type ConvertedFile = Pick<StoredBlob, 'digest' | 'mimeType'>;

/** The inputs of a conversion other than its first file. */
export interface ConversionDetails {
  /** Further files, in order. */
  readonly others?: readonly ConvertedFile[];
  /** The parameters of the converter, after validation. */
  readonly parameters?: ConverterParameters;
}

export type ConversionResult = StoredBlob & {
  /** The facts about a picture, film or sound that its view needs. */
  readonly facts?: FileFacts;
};

/** Files made from other files by converters. The result is cached and reused for the same bytes. */
export interface StoredConversions {
  /** The external programs for conversions. */
  readonly tools: Tools;
  /**
   * Converts a file.
   * @returns null for a file that cannot be converted this way.
   * @throws Invalid for parameters that do not suit the file; Unavailable if too many conversions are
   * waiting.
   */
  of(
    db: Pick<Client, 'prisma' | 'query' | 'replica'>,
    makes: Purpose,
    source: ConvertedFile,
    details?: ConversionDetails,
  ): Promise<ConversionResult | null>;
  /** Like `of`, but uses one specific path of converters, since there can be several. */
  along(
    db: Pick<Client, 'prisma' | 'query' | 'replica'>,
    path: ConversionPath,
    source: ConvertedFile,
    details?: ConversionDetails,
  ): Promise<ConversionResult | null>;
}

/** What the server did during one minute, as counted in `/metrics`. */
export interface MetricSample {
  /** The end of the minute. */
  readonly at: Date;
  readonly requests: number;
  /** Requests that ended with a status of 500 or more. */
  readonly failures: number;
  /** Requests that were refused because of the load. */
  readonly refused: number;
  /** The average duration of a request; 0 without requests. */
  readonly meanMilliseconds: number;
  readonly cpuSeconds: number;
  /** The memory in use at the end of the minute. */
  readonly memoryBytes: number;
  /** The 99th percentile of the delay of timers. */
  readonly lagMilliseconds: number;
  readonly waitingJobs: number;
  /** Jobs that were set aside after failing. */
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
 * Records log-ins and downloads (§2.6). Recording must neither slow down a request nor fail it, so entries
 * are collected in memory and written every second in one statement. A process that crashes loses the entries
 * of the last second.
 */
export interface Journal {
  loggedIn(login: { readonly username: string; readonly method: string; readonly address: string }): void;
  /** Failures are counted and written once per minute. */
  loginFailed(address: string, account: string | undefined): void;
  loggedOut(who: { readonly username: string; readonly address: string }): void;
  downloaded(download: Download): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The objects that a process creates at its start for all requests and jobs. They are passed on as a whole; a
 * function that needs only some of them takes a `Pick`.
 */
export interface Services {
  /** All settings. */
  readonly config: Config;
  readonly log: Logger;
  /** The database. Requests must use the `db` of their context instead. */
  readonly database: Database;
  readonly model: Model;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  /** Conversions for callers, who wait only for a limited time. */
  readonly conversions: StoredConversions;
  /** Conversions for jobs, which wait as long as necessary. */
  readonly jobConversions: StoredConversions;
  readonly journal: Journal;
  /** Recent failed log-ins. */
  readonly attempts: LoginAttempts;
  readonly executing: RunningExecutions;
  readonly searchIndex: SearchIndex;
  /** Splits the texts of documents and queries into words, in the language of SEARCH_LANGUAGE. */
  readonly wordAnalysis: WordAnalysis;
  readonly searchTurns: Turns;
  readonly archiveTurns: Turns;
  readonly transactionTurns: Turns;
  readonly memoryBudget: MemoryBudget;
  /** The media type of notes made from Markdown files, as the contract or the reference implementation has it. */
  readonly markdownType: MarkdownType;
  /** Samples of the last hour, the oldest first. */
  readonly metricSamples: () => readonly MetricSample[];
}
