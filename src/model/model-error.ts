export interface Fault {
  /** The contributed file; absent for errors in the built-in model. */
  readonly file?: string;
  /**
   * The location of the error, such as `types.Invoice.schemas[1]` or, within a file, `schemas[0].fields.amount.type`.
   */
  readonly location: string;
  readonly fault: string;
}

/** Thrown when the content model cannot be built. The message has one line for each error. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(
      faults
        .map(({ file, location, fault }) => [file, location, fault].filter(Boolean).join(': '))
        .join('\n'),
    );
    this.faults = faults;
  }
}

/** @throws ModelError if there are any errors */
export function requireNoFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new ModelError(faults);
}

/**
 * Waits for all checks to finish.
 * @throws ModelError with the errors found by all checks
 */
export async function requireAll(checks: ReadonlyArray<Promise<unknown>>): Promise<void> {
  const results = await Promise.allSettled(checks);
  const faults = results.flatMap((result): readonly Fault[] => {
    if (result.status === 'fulfilled') return [];
    if (result.reason instanceof ModelError) return result.reason.faults;
    throw result.reason;
  });
  requireNoFaults(faults);
}

/** Reports an error in a definition; `at` is the location within the definition, such as `.constraints.pattern`. */
export type ReportFault = (at: string, fault: string) => void;

export const reportBelow =
  (report: ReportFault, prefix: string): ReportFault =>
  (at, fault) =>
    report(prefix + at, fault);

/**
 * Reports the names that do not exist.
 * @param kind the kind of thing that the names refer to, such as `schema` in the message `there is no schema x`
 */
export function reportUnknownNames(
  names: readonly string[] | undefined,
  known: ReadonlyMap<string, unknown>,
  kind: string,
  report: ReportFault,
): void {
  for (const [index, name] of (names ?? []).entries())
    if (!known.has(name)) report(`[${index}]`, `there is no ${kind} ${name}`);
}

export function reasonOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasMessage ? error.message : error).replaceAll('\n', ' ');
}
