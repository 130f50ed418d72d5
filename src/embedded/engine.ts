/** A running PostgreSQL server. */
export interface RunningEngine {
  readonly url: string;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Disconnects clients and writes a checkpoint. Resolves when the process has ended. */
  stop(): Promise<void>;
  /** Ends the process without further writes, because another process has taken over its data. */
  abandon(): void;
}

/** A PostgreSQL that is ready to be started. */
export interface Engine {
  /** A line for the log with the version and the folder of the data. */
  readonly notice: string;
  start(port: number): Promise<RunningEngine>;
}

/** Thrown if PostgreSQL's programs cannot run on this machine. The message gives the reason. */
export class CannotRun extends Error {}
