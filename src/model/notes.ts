/** The largest text that becomes a Note, in bytes. */
export const longestNote = 1_048_576;
