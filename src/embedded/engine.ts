export interface RunningEngine {
  readonly url: string;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Disconnects clients, writes what is in memory, and resolves when the process has ended. */
  stop(): Promise<void>;
  /** Ends the process without another write: its data are another one's by now. */
  abandon(): void;
}

export interface Engine {
  /** The line for the log: the version, and where the data are. */
  readonly notice: string;
  start(port: number): Promise<RunningEngine>;
}

/** PostgreSQL's programs cannot run on this machine; the message is the reason. */
export class CannotRun extends Error {}
