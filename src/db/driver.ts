import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { OtherProcesses } from './announcements.ts';
import type { Statement } from './statement.ts';

export type Send = <Row>(query: Statement<Row>, values: unknown[]) => Promise<Row[]>;

export interface Connection {
  readonly query: Send;
  /** The adapter by which Prisma uses the connection; always the same object for the same connection. */
  readonly adapter: SqlDriverAdapterFactory;
  /** In a transaction: runs statements inside a savepoint, and then undoes all that they have written and locked. */
  readonly aside?: <T>(work: (query: Send) => Promise<T>) => Promise<T>;
}

export type ConnectionApart = Pick<Driver, 'query' | 'script'>;

/** Sends statements to a PostgreSQL server. */
export interface Driver {
  readonly adapter: SqlDriverAdapterFactory;
  readonly query: Send;
  /** Runs statements that have no parameters, separated by semicolons, as one transaction. */
  script(sql: string): Promise<void>;
  /**
   * Runs work in a transaction.
   * @param milliseconds the maximum duration of each statement.
   * @param announced topics to announce to other processes at the commit. The work adds to the set.
   * @param writer the user who makes the changes; undefined for changes by the server itself.
   */
  transaction<T>(
    milliseconds: number,
    work: (connection: Connection) => Promise<T>,
    announced: ReadonlySet<string>,
    writer?: string,
  ): Promise<T>;
  readonly otherProcesses: OtherProcesses;
  /** Whether no server accepts writes. Waits until all hosts have been asked once, if that is not known. */
  isLost(): Promise<boolean>;
  /** The number of connections that have ended unexpectedly. It changes when the server restarts. */
  breaks(): number;
  /** Breaks all connections because the server does not answer. Statements that wait for it fail. */
  breakOff(): void;
  /** Runs work on a connection of its own without a time limit. @param signal ends the connection when aborted. */
  apart<T>(work: (connection: ConnectionApart) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Runs work as one transaction on a connection of its own, while no other process on the database does so. */
  exclusively<T>(work: (connection: ConnectionApart) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
