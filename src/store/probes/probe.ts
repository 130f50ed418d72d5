import type { Scope } from '../../scope.ts';

/** What a probe has found. */
export interface ProbeOutcome {
  readonly success: boolean;
  /** The values in the label `probe.NAME`, which describes the finding. */
  readonly values: Readonly<Record<string, string>>;
}

/** A test of something that the server needs. */
export interface Probe {
  readonly name: string;
  /** Runs the test, which fails if this throws. */
  readonly run: (scope: Scope) => Promise<ProbeOutcome>;
}
