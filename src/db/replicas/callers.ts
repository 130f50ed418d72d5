import { LRUCache } from 'lru-cache';
import type { Announcements } from '../announcements.ts';
import { coalesced } from '../coalesced.ts';
import { isUnknown, later, type Position, readPosition, start, writePosition } from './position.ts';

/**
 * The limits for remembered positions. The lifetime is longer than the lag of any replica in use, so when a position is
 * forgotten, every replica has already applied the changes up to it.
 */
const limits = { max: 10_000, ttl: 60_000 };

interface CallerPositions {
  /** The latest position that a caller has written or seen, as far as this process knows. */
  of(user: string): Position;
  /** Remembers a position that a caller has written or seen in this process. */
  advance(user: string, to: Position): void;
  /** Announces the position of a caller's writes to other processes. Concurrent calls share one announcement. */
  tell(user: string): Promise<void>;
}

/** The maximum number of bytes in one announcement; PostgreSQL accepts 8,000, including the topic. */
const maxBytes = 7_000;

/**
 * Remembers the positions up to which callers have written or seen changes in this process, and the positions of their
 * writes in other processes, which announce them. A caller must not read from a replica that has not reached the
 * caller's position.
 */
export function createCallerPositions(announcements: Announcements): CallerPositions {
  /** A position that is at least as late as every position that was evicted for lack of space. */
  let floor = start;
  const positions = new LRUCache<string, Position>({
    ...limits,
    dispose: (position, _user, reason) => {
      if (reason === 'evict') floor = later(floor, position);
    },
  });
  const of = (user: string): Position => later(floor, positions.get(user) ?? start);
  const advance = (user: string, to: Position): void => {
    if (isUnknown(floor) && !isUnknown(to)) floor = later(floor, to);
    positions.set(user, later(of(user), to));
  };

  announcements.on('positions', (detail = '') => {
    for (const told of detail.split(',').filter(Boolean)) {
      const [name = '', text = ''] = told.split(':');
      const position = readPosition(text);
      if (position) advance(Buffer.from(name, 'base64url').toString(), position);
    }
  });

  let waiting = new Set<string>();
  const telling = coalesced(async () => {
    const told = [...waiting].map(
      (user) => `${Buffer.from(user).toString('base64url')}:${writePosition(of(user))}`,
    );
    waiting = new Set();
    while (told.length > 0) {
      let text = told.pop() ?? '';
      while (text.length + (told.at(-1)?.length ?? maxBytes) < maxBytes) text += `,${told.pop()}`;
      await announcements.tellOthers('positions', text);
    }
  });
  const tell = (user: string): Promise<void> => {
    waiting.add(user);
    return telling.ask();
  };
  return {
    of,
    advance,
    // The first attempt fails if it uses a pooled connection that the server has closed; the second attempt uses
    // another connection.
    tell: (user) => tell(user).catch(() => tell(user)),
  };
}
