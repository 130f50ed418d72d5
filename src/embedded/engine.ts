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
  /** What the log says of it, with where its data lie and, of the fallback, why and what it lacks. */
  readonly notice: string;
  readonly isFallback: boolean;
  /** The most connections that help: on the fallback all of them share one session. */
  readonly connections?: number;
  start(port: number): Promise<RunningEngine>;
}

/** Why an engine cannot run here; the message is the reason. */
export class CannotRun extends Error {}
