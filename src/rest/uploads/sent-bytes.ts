import { QuotaExceeded } from '../../errors.ts';
import type { NoteBytes } from '../request/upload-limit.ts';

/**
 * Counts the bytes that each user is sending to this process: they are in no row yet, and several bodies at a
 * time would each find the whole room empty.
 */
export function createSentBytes(quota: number) {
  const sending = new Map<string, number>();
  const add = (user: string, bytes: number): void => {
    const sum = (sending.get(user) ?? 0) + bytes;
    if (sum > 0) sending.set(user, sum);
    else sending.delete(user);
  };
  /** @param room the bytes that the user may send besides those that are under way. */
  return async <T>(user: string, room: number, work: (note: NoteBytes) => Promise<T>): Promise<T> => {
    let noted = 0;
    const note: NoteBytes = (total) => {
      const more = total - noted;
      if (more <= 0) return;
      if ((sending.get(user) ?? 0) + more > room) throw new QuotaExceeded(quota);
      noted = total;
      add(user, more);
    };
    try {
      return await work(note);
    } finally {
      add(user, -noted);
    }
  };
}
