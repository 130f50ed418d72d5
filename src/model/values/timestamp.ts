const earliest = '0001-01-01T00:00:00.000Z';

/**
 * Converts an ISO 8601 time so that it can be stored in a timestamp column. PostgreSQL has no year 0, so that year
 * becomes year 1.
 */
export const asTimestamp = (moment: string): string => (moment < earliest ? earliest : moment);
