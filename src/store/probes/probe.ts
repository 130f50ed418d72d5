import type { Scope } from '../../scope.ts';

export interface ProbeOutcome {
  readonly success: boolean;
  readonly info: string;
}

/** Something that the server needs, tried at once. */
export interface Probe {
  readonly name: string;
  /** What it throws is a failure, whose message is the info. */
  readonly run: (scope: Scope) => Promise<ProbeOutcome>;
}
