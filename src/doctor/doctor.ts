import { type Finding, type HealthCheck, type Installation, PartFault, type Parts } from './check.ts';
import { healthChecks } from './checks.ts';

/** The result of a check. */
export interface Diagnosis {
  /** The name of the check. */
  readonly check: string;
  readonly findings: readonly Finding[];
  /** Why the check could not be run; undefined if it was run. */
  readonly skipped?: string;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** How the reason of a skipped check names a part. */
const partNames: Readonly<Record<keyof Parts, string>> = {
  extensions: 'the extensions cannot be loaded',
  model: 'the content model is invalid',
  identityProviders: 'the identity providers cannot be read',
  database: 'the database cannot be used',
  tables: 'the tables are not up to date',
  blobs: 'the blob store cannot be opened',
  tools: 'the converters cannot be used',
  wordAnalysis: 'SEARCH_LANGUAGE is invalid',
};

async function diagnose(check: HealthCheck, installation: Installation): Promise<Diagnosis> {
  const { name, opens = {} } = check;
  try {
    return { check: name, findings: await check.run(installation) };
  } catch (error) {
    if (!(error instanceof PartFault))
      return {
        check: name,
        findings: [
          {
            level: 'fault',
            problem: `The check failed: ${messageOf(error)}`,
            reason: 'Something that the server needs does not work.',
            remedy: 'Correct the cause that the message names.',
          },
        ],
      };
    const explanation = opens[error.part];
    if (explanation)
      return { check: name, findings: [{ level: 'fault', problem: error.message, ...explanation }] };
    return { check: name, findings: [], skipped: `Not checked, because ${partNames[error.part]}.` };
  }
}

/** The names of all checks, in order. */
export const checkNames: readonly string[] = healthChecks.map(({ name }) => name);

/** Runs all checks, or those with the given names, and returns their results in order. */
export async function examine(
  installation: Installation,
  names: readonly string[] = checkNames,
): Promise<readonly Diagnosis[]> {
  // One after the other, so that a check that measures durations is not delayed by others.
  const diagnoses: Diagnosis[] = [];
  for (const check of healthChecks)
    if (names.includes(check.name)) diagnoses.push(await diagnose(check, installation));
  return diagnoses;
}

/** Opens each part at most once. If this fails, everything that needs the part receives the same `PartFault`. */
export function opensOnce(parts: Parts): Parts {
  const entries = Object.entries(parts).map(([name, open]) => {
    let opened: Promise<unknown> | undefined;
    const part = name as keyof Parts;
    return [
      part,
      () => {
        opened ??= Promise.resolve()
          .then(open)
          .catch((error: unknown) => {
            throw error instanceof PartFault ? error : new PartFault(part, error);
          });
        return opened;
      },
    ];
  });
  return Object.fromEntries(entries) as Parts;
}
