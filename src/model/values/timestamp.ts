const earliest = '0001-01-01T00:00:00.000Z';

/** A moment in ISO 8601 as a timestamp column can store it: PostgreSQL has no year 0, so that becomes year 1. */
export const asTimestamp = (moment: string): string => (moment < earliest ? earliest : moment);
