import { filledLabel, labelText } from '../../model/labels.ts';
import type { Scope } from '../../scope.ts';
import { blobStoreProbe } from './blob-store.ts';
import { databaseProbe } from './database.ts';
import { jobsProbe } from './jobs.ts';
import type { Probe } from './probe.ts';
import { searchIndexProbe } from './search-index.ts';

const probes: readonly Probe[] = [databaseProbe, blobStoreProbe, searchIndexProbe, jobsProbe];

/** The result of a probe. */
export interface ProbeResult {
  readonly name: string;
  readonly success: boolean;
  /** A description of the outcome, in the language of the request. */
  readonly info: string;
  /** The duration of the probe in milliseconds. */
  readonly time: number;
}

/** Runs all probes, one after the other. Each tests something that the server needs. */
export async function runProbes(scope: Scope): Promise<ProbeResult[]> {
  const { language } = scope.options;
  const results: ProbeResult[] = [];
  for (const { name, run } of probes) {
    const began = performance.now();
    const { success, info } = await run(scope).then(
      (outcome) => ({
        success: outcome.success,
        info: filledLabel(`probe.${name}`, language, outcome.values),
      }),
      (error: unknown) => {
        scope.services.log.error({ err: error, probe: name }, 'A probe failed.');
        return { success: false, info: labelText('probe.failed', language) };
      },
    );
    results.push({ name, success, info, time: Math.round(performance.now() - began) });
  }
  return results;
}
