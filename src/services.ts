import type { Logger } from 'pino';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Config } from './config.ts';
import type { Conversions } from './converters/conversions.ts';
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
import type { IdentityProvider } from './security/identity-settings.ts';
import type { LoginAttempts } from './security/login-attempts.ts';
import type { Credential } from './security/principal.ts';
import type { WordAnalysis } from './words/atoms.ts';

export interface LocalExecution {
  readonly id: string;
  readonly userId: string;
  readonly repository: string;
  readonly operation: string;
}

/** The asynchronous executions that are running in this process. */
export interface RunningExecutions {
  /** Returns a running execution; undefined if it was aborted. */
  find(id: string): LocalExecution | undefined;
  /** Aborts an execution. Its next statement fails with the given reason. */
  abort(id: string, reason: AppError): void;
  /**
   * Runs the work of an execution.
   * @param stopping aborted when the process stops. The signal that the work receives is also aborted if the
   * execution is aborted in this or another process.
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

/** Whether searches find everything that is committed and, if not, by how many milliseconds the index is behind. */
export type IndexState = { readonly isCaughtUp: boolean; readonly behind: number };

/** A request that is queued until it is its turn to run. */
export interface RequestTurn {
  readonly user: string;
  /** The deadline of the request, as a value of `performance.now()`. */
  readonly deadline: number;
  /** Whether the request holds a database connection while it waits, as a search inside a transaction does. */
  readonly isConnected: boolean;
  readonly isWrite: boolean;
  /** The origin of the work. Subscriptions count as executions, because they can last just as long. */
  readonly origin: 'request' | 'execution' | 'server';
  readonly signal: AbortSignal | undefined;
  /** The response of the request; undefined once it has been sent. */
  response: AwaitedResponse | undefined;
}

export interface Turns {
  /**
   * Runs work when it is its turn.
   * @throws Unavailable if the queue is full or the work has waited too long
   */
  take<T>(turn: RequestTurn, work: () => Promise<T>): Promise<T>;
}

export interface LongWait {
  /** The end of the wait, as a value of `performance.now()`. */
  readonly end: number;
  readonly isOver: () => boolean;
}

/** The search index. It is updated after the response to a write has been sent. */
export interface SearchIndex {
  /**
   * Waits until searches find everything that is committed, up to a time limit. Does not wait on a replica, because
   * searches there already find what the caller has written.
   * @param user if set, large documents written by other users are skipped; if undefined, waits for all documents
   */
  catchUp(db: Pick<Client, 'query' | 'replica'>, user?: string): Promise<IndexState>;
  /**
   * Like `catchUp`, but also waits for the words in files. The time limit can be longer.
   * @param own the user, and the jobs to wait for, as returned by `jobsOfOwnFiles`
   */
  catchUpWithFiles(
    db: Pick<Client, 'query'>,
    own: { readonly user: string; readonly jobs: readonly string[] },
  ): Promise<IndexState>;
  /**
   * Waits until searches find everything that is committed, including the words in all files.
   * @returns false if the time limit was reached first
   */
  findsAll(db: Pick<Client, 'query'>, wait: LongWait): Promise<boolean>;
  /**
   * Runs a search inside a transaction. The search finds the transaction's own writes and, after a wait, everything
   * that others have committed.
   */
  withinTransaction<T>(
    db: Pick<Client, 'query' | 'aside'>,
    search: (query: Client['query']) => Promise<T>,
    caller: { readonly user: string; readonly isWaiting: boolean },
  ): Promise<{ readonly found: T; readonly state: IndexState }>;
  changed(): void;
}

export type ConvertedFile = Pick<StoredBlob, 'digest' | 'mimeType'> & Partial<Pick<StoredBlob, 'encoding'>>;

/** The inputs of a conversion other than the file to convert. */
export interface ConversionDetails {
  /** Additional files, in order. */
  readonly others?: readonly ConvertedFile[];
  /** The validated parameters of the converter. */
  readonly parameters?: ConverterParameters;
}

export type ConversionResult = StoredBlob & {
  /** The facts about an image, video or audio file from which the server fills in document properties. */
  readonly facts?: FileFacts;
};

/** Converts files and caches the results. A result is reused for files with the same bytes. */
export interface StoredConversions {
  /** The installed programs that convert files. */
  readonly tools: Tools;
  /**
   * Converts a file with the preferred sequence of converters or, if that fails, with another one.
   * @returns null if the file cannot be converted to the target type, or if it contains no picture for a thumbnail
   * @throws Invalid if the parameters are not valid for the file; Unavailable if too many conversions are waiting
   */
  of(
    db: Pick<Client, 'prisma' | 'query' | 'replica'>,
    makes: Purpose,
    source: ConvertedFile,
    details?: ConversionDetails,
  ): Promise<ConversionResult | null>;
  /** Like `of`, but uses the given sequence of converters instead of choosing one. */
  along(
    db: Pick<Client, 'prisma' | 'query' | 'replica'>,
    path: ConversionPath,
    source: ConvertedFile,
    details?: ConversionDetails,
  ): Promise<ConversionResult | null>;
  /** Lists the words in a text file, as a tsvector. */
  readonly wordsOf: Conversions['wordsOf'];
}

/** The server's activity within one minute, measured in the same way as for `/metrics`. */
export interface MetricSample {
  /** The end of the minute. */
  readonly at: Date;
  readonly requests: number;
  /** The number of requests that ended with a status of 500 or higher. */
  readonly failures: number;
  /** The number of requests that were rejected because the server was overloaded. */
  readonly refused: number;
  /** The average duration of a request in milliseconds; 0 if there were no requests. */
  readonly meanMilliseconds: number;
  readonly cpuSeconds: number;
  /** The memory that was in use at the end of the minute. */
  readonly memoryBytes: number;
  /** The 99th percentile of timer delays. */
  readonly lagMilliseconds: number;
  readonly waitingJobs: number;
  /** The number of jobs that have failed permanently. */
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
 * Records log-ins, downloads and last uses (§2.6). Recording must neither slow down nor fail a request, so entries are
 * collected in memory and written with one statement per second. If the process crashes, the entries of the last
 * second are lost.
 */
export interface Journal {
  loggedIn(login: { readonly username: string; readonly method: string; readonly address: string }): void;
  /** Records a failed log-in. Failures are counted and written once per minute. */
  loginFailed(address: string, account: string | undefined): void;
  loggedOut(who: { readonly username: string; readonly address: string }): void;
  /** Records that an administrator sees what another user sees. It is written at most once a minute. */
  viewedAs(view: { readonly username: string; readonly as: string; readonly address: string }): void;
  downloaded(download: Download): void;
  /** Records the use of a session or a token. The time of the last use is written at most once a minute. */
  used(credential: Credential): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The objects that a process creates when it starts and that all requests and jobs share. They are passed on as one
 * object; a function that needs only some of them takes a `Pick`.
 */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  /** The database. Code that runs within a request must use the `db` of its context instead. */
  readonly database: Database;
  readonly model: Model;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  /** The identity providers in IDENTITY_FILE. */
  readonly identityProviders: readonly IdentityProvider[];
  /** Conversions for callers, who wait only for a limited time. */
  readonly conversions: StoredConversions;
  /** Conversions for jobs, which can wait indefinitely. */
  readonly jobConversions: StoredConversions;
  readonly journal: Journal;
  /** The recent failed log-ins. */
  readonly attempts: LoginAttempts;
  readonly executing: RunningExecutions;
  readonly searchIndex: SearchIndex;
  /** Splits the texts of documents and queries into words, according to SEARCH_LANGUAGE. */
  readonly wordAnalysis: WordAnalysis;
  readonly searchTurns: Turns;
  readonly archiveTurns: Turns;
  readonly transactionTurns: Turns;
  readonly memoryBudget: MemoryBudget;
  /**
   * The media type of notes that are created from Markdown files. The contract and the reference implementation use
   * different ones.
   */
  readonly markdownType: MarkdownType;
  /** Returns the samples of the last hour, oldest first. */
  readonly metricSamples: () => readonly MetricSample[];
}
