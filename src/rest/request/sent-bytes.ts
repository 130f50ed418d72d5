import { QuotaExceeded } from '../../errors.ts';

export interface SentBytes {
  /**
   * Records the number of bytes of the body that are expected or have arrived so far.
   * @throws QuotaExceeded
   */
  readonly note: (total: number) => void;
  /** Records bytes that were written to the blob store. */
  readonly stored: (bytes: number) => void;
}

/**
 * Runs `work` and counts the bytes of its request.
 * @param room the maximum number of bytes in all bodies that the user is currently sending, including the stored bytes
 * of rejected requests
 */
export type CountSent = <T>(user: string, room: number, work: (sent: SentBytes) => Promise<T>) => Promise<T>;

/** The age, in milliseconds, at which blobs that no row refers to are deleted. */
const sweepAge = 86_400_000;

/** The interval, in milliseconds, in which the bytes of a user's rejected requests share one timer. */
const timerInterval = 3_600_000;

/**
 * Counts the bytes that each user is currently sending to this process, and the bytes that were stored by requests
 * rejected within the last day. No database row records these bytes, so without this count, several parallel uploads
 * could each use the whole remaining quota.
 */
export function createSentBytes(quota: number): CountSent {
  const counted = new Map<string, number>();
  const add = (user: string, bytes: number): void => {
    const sum = (counted.get(user) ?? 0) + bytes;
    if (sum > 0) counted.set(user, sum);
    else counted.delete(user);
  };
  const leftOf = new Map<string, { bytes: number }>();
  const leave = (user: string, bytes: number): void => {
    add(user, bytes);
    const known = leftOf.get(user);
    const left = known ?? { bytes: 0 };
    left.bytes += bytes;
    if (known) return;
    leftOf.set(user, left);
    setTimeout(() => leftOf.delete(user), timerInterval).unref();
    setTimeout(() => add(user, -left.bytes), timerInterval + sweepAge).unref();
  };
  return async (user, room, work) => {
    let [noted, left] = [0, 0];
    const note: SentBytes['note'] = (total) => {
      const more = total - noted;
      if (more <= 0) return;
      if ((counted.get(user) ?? 0) + more > room) throw new QuotaExceeded(quota);
      noted = total;
      add(user, more);
    };
    const stored: SentBytes['stored'] = (bytes) => {
      left += bytes;
    };
    try {
      return await work({ note, stored });
    } catch (error) {
      if (left > 0) leave(user, left);
      throw error;
    } finally {
      add(user, -noted);
    }
  };
}
