import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { OtherProcesses } from './announcements.ts';
import type { Statement } from './statement.ts';

export type Send = <Row>(query: Statement<Row>, values: unknown[]) => Promise<Row[]>;

export interface Connection {
  readonly query: Send;
  /** The adapter through which Prisma uses the connection; always the same object for the same connection. */
  readonly adapter: SqlDriverAdapterFactory;
  /**
   * Runs statements inside a savepoint, and then rolls back to it, which undoes their changes and releases their locks.
   * It is available only in a transaction.
   */
  readonly aside?: <T>(work: (query: Send) => Promise<T>) => Promise<T>;
}

export type ConnectionApart = Pick<Driver, 'query' | 'script'>;

/** Sends statements to a PostgreSQL server. */
export interface Driver {
  readonly adapter: SqlDriverAdapterFactory;
  readonly query: Send;
  /** Runs several statements without parameters, separated by semicolons, as one transaction. */
  script(sql: string): Promise<void>;
  /**
   * Calls a function in a transaction.
   * @param milliseconds the maximum duration of each statement
   * @param announced topics to announce to other processes on commit; the function can add topics to the set
   * @param writer the user who makes the changes; undefined for changes by the server itself
   */
  transaction<T>(
    milliseconds: number,
    work: (connection: Connection) => Promise<T>,
    announced: ReadonlySet<string>,
    writer?: string,
  ): Promise<T>;
  readonly otherProcesses: OtherProcesses;
  /** Whether no server is accepting writes. If this is not known yet, waits until every host has been asked once. */
  isLost(): Promise<boolean>;
  /** The number of connections that have ended unexpectedly. It increases when the server restarts. */
  breaks(): number;
  /** Closes all connections because the server is not responding. Statements in progress fail. */
  breakOff(): void;
  /**
   * Calls a function with a dedicated connection that has no time limit.
   * @param signal closes the connection when aborted
   */
  apart<T>(work: (connection: ConnectionApart) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Calls a function in a transaction on a dedicated connection. At most one process at a time can run such a function
   * on the same database.
   */
  exclusively<T>(work: (connection: ConnectionApart) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
