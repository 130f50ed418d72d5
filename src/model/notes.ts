/** Limit of the texts that become a Note. */
export const maxNoteBytes = 1_048_576;
