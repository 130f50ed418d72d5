const earliest = '0001-01-01T00:00:00.000Z';

/** A moment in ISO 8601 as a column keeps it: dates may be in the year 0, which PostgreSQL lacks. */
export const asTimestamp = (moment: string): string => (moment < earliest ? earliest : moment);
