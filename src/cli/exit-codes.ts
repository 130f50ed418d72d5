/** What the program `quire` ends with; docs/operations.md has the same table. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  /** It was done, and something is missing, damaged or wrong, which the output names. */
  faultsFound: 3,
  /** What shells expect of an interrupted command. */
  interrupted: 130,
} as const;
