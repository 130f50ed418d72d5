import type { Scope } from '../../scope.ts';

/** The result of a probe. */
export interface ProbeOutcome {
  readonly success: boolean;
  /** The values to insert into the label `probe.NAME`, which describes the outcome. */
  readonly values: Readonly<Record<string, string>>;
}

/** A test of something that the server needs. */
export interface Probe {
  readonly name: string;
  /** Runs the test. If it throws an error, the test has failed. */
  readonly run: (scope: Scope) => Promise<ProbeOutcome>;
}
