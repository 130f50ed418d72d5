/** The exit codes of `quire`. docs/operations.md has the same table. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  /** The command is done, and has found something missing, damaged or wrong, which its output names. */
  faultsFound: 3,
  /** The conventional code of a command that was interrupted by SIGINT. */
  interrupted: 130,
} as const;
