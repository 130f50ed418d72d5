import type { Scope } from '../../scope.ts';

/** The result of a probe. */
export interface ProbeOutcome {
  readonly success: boolean;
  /** The values in the label `probe.NAME`, which describes the finding. */
  readonly values: Readonly<Record<string, string>>;
}

/** A test of something that the server needs. */
export interface Probe {
  readonly name: string;
  /** Runs the test. An error that it throws is a failed test. */
  readonly run: (scope: Scope) => Promise<ProbeOutcome>;
}
