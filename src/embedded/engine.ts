export interface RunningEngine {
  readonly url: string;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<void>;
  /** Disconnects clients and writes a checkpoint. Resolves when the process has ended. */
  stop(): Promise<void>;
  /** Terminates the process without further writes, because another process has taken over its data folder. */
  abandon(): void;
}

/** A PostgreSQL installation that is ready to start. */
export interface Engine {
  /** A log line with the PostgreSQL version and the data folder. */
  readonly notice: string;
  start(port: number): Promise<RunningEngine>;
}

/** Thrown if PostgreSQL's programs cannot run on this machine. The message gives the reason. */
export class CannotRun extends Error {}
