import type { Scope } from '../../scope.ts';

export interface ProbeOutcome {
  readonly success: boolean;
  /** Of the label that says what was found, `probe.NAME`. */
  readonly values: Readonly<Record<string, string>>;
}

/** Something that the server needs, tried at once. */
export interface Probe {
  readonly name: string;
  /** What it throws is a failure. */
  readonly run: (scope: Scope) => Promise<ProbeOutcome>;
}
