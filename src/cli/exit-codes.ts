/** The exit codes of `quire`. docs/operations.md contains the same table. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  /** The command has completed, but has found missing, damaged or incorrect data, which its output lists. */
  faultsFound: 3,
  /** The conventional exit code of a command that was interrupted by SIGINT. */
  interrupted: 130,
} as const;
