import type { Scope } from '../../scope.ts';
import { blobStoreProbe } from './blob-store.ts';
import { databaseProbe } from './database.ts';
import { jobsProbe } from './jobs.ts';
import type { Probe, ProbeOutcome } from './probe.ts';
import { searchIndexProbe } from './search-index.ts';

const probes: readonly Probe[] = [databaseProbe, blobStoreProbe, searchIndexProbe, jobsProbe];

export interface ProbeResult extends ProbeOutcome {
  readonly name: string;
  /** Milliseconds that it took. */
  readonly time: number;
}

/** Tries what the server needs, one after the other. */
export async function runProbes(scope: Scope): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  for (const { name, run } of probes) {
    const began = performance.now();
    const outcome = await run(scope).catch((error: unknown) => {
      scope.log.error({ err: error, probe: name }, 'a probe failed');
      return { success: false, info: 'failed: the log of the server says why' };
    });
    results.push({ name, ...outcome, time: Math.round(performance.now() - began) });
  }
  return results;
}
