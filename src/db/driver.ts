import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { OtherProcesses } from './announcements.ts';
import type { Statement } from './statement.ts';

export type Send = <Row>(query: Statement<Row>, values: unknown[]) => Promise<Row[]>;

export interface Connection {
  readonly query: Send;
  /** The same connection for Prisma: always the same object for the same connection. */
  readonly adapter: SqlDriverAdapterFactory;
  /** In a transaction: runs statements next to each other, and undoes what they wrote and locked. */
  readonly aside?: <T>(work: (query: Send) => Promise<T>) => Promise<T>;
}

export type ConnectionApart = Pick<Driver, 'query' | 'script'>;

export interface Driver {
  readonly adapter: SqlDriverAdapterFactory;
  readonly query: Send;
  /** Runs statements that have no parameters, separated by semicolons, as one transaction. */
  script(sql: string): Promise<void>;
  /**
   * Runs work in a transaction whose statements may last so many milliseconds each, and announces the topics
   * that the set has at its end to other processes.
   * @param writer the user whose writes they are; undefined for those of the server.
   */
  transaction<T>(
    milliseconds: number,
    work: (connection: Connection) => Promise<T>,
    announced: ReadonlySet<string>,
    writer?: string,
  ): Promise<T>;
  readonly otherProcesses: OtherProcesses;
  /** Whether no server takes writes; waits until that is known, which is soon. */
  isLost(): Promise<boolean>;
  /** How many connections have ended unexpectedly: all do where the server restarts. */
  breaks(): number;
  /** The server is silent: all connections break, and what waits for its answers fails. */
  breakOff(): void;
  /** Runs work on a connection of its own, without a limit of time; a signal ends the connection. */
  apart<T>(work: (connection: ConnectionApart) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Runs work that only one process on this database may do at a time, on a connection of its own and as one
   * transaction.
   */
  exclusively<T>(work: (connection: ConnectionApart) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
