import { QuotaExceeded } from '../../errors.ts';

export interface SentBytes {
  /** Notes how many bytes of the body are to come, or have come. @throws QuotaExceeded */
  readonly note: (total: number) => void;
  /** Notes bytes that are in the blob store now. */
  readonly stored: (bytes: number) => void;
}

/** @param room bytes that bodies of the user may have under way here, with what refused ones left behind. */
export type CountSent = <T>(user: string, room: number, work: (sent: SentBytes) => Promise<T>) => Promise<T>;

/** Milliseconds after which the sweep of blobs deletes what no row refers to. */
const kept = 86_400_000;

/** Milliseconds within which the bytes of a user share a timer. */
const shared = 3_600_000;

/**
 * Counts the bytes that each user is sending to this process, and those of the last day whose requests were
 * refused: they are in no row, and several bodies at a time would each find the whole room empty.
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
    setTimeout(() => leftOf.delete(user), shared).unref();
    setTimeout(() => add(user, -left.bytes), shared + kept).unref();
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
