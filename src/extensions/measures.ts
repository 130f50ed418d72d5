/** What the functions of an extension have done in this process since its start. */
export interface ExtensionMeasures {
  calls: number;
  /** The number of calls that ended with an error other than a Refusal. */
  failures: number;
  /** The time in milliseconds for which calls have blocked the event loop before their first `await`. */
  blocked: number;
}

const all = new Map<string, ExtensionMeasures>();

/** Returns the measures of an extension, to which its calls are added. */
export function measuresOf(extension: string): ExtensionMeasures {
  const known = all.get(extension) ?? { calls: 0, failures: 0, blocked: 0 };
  all.set(extension, known);
  return known;
}

/** Returns the measures of all extensions that have been called, by name. */
export const extensionMeasures = (): ReadonlyMap<string, ExtensionMeasures> => all;
