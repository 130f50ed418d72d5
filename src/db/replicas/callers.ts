import { LRUCache } from 'lru-cache';
import type { Announcements } from '../announcements.ts';
import { coalesced } from '../coalesced.ts';
import { isUnknown, later, type Position, readPosition, start, writePosition } from './position.ts';

/** Longer than a replica in use may be behind: all that are in use have what is older. */
const limits = { max: 10_000, ttl: 60_000 };

interface CallerPositions {
  of(user: string): Position;
  /** Remembers how far a caller has got in this process. */
  advance(user: string, to: Position): void;
  /** Tells other processes how far a caller has written; those who tell meanwhile share one message. */
  tell(user: string): Promise<void>;
}

/** Bytes that one announcement may have, of the 8,000 that PostgreSQL takes. */
const longest = 7_000;

/** How far callers have got, in this process, and by what they have written in others. */
export function createCallerPositions(announcements: Announcements): CallerPositions {
  /** Of those that are not remembered any more. */
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
      while (text.length + (told.at(-1)?.length ?? longest) < longest) text += `,${told.pop()}`;
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
    // A connection that the server has closed meanwhile fails; another one is used for the second attempt.
    tell: (user) => tell(user).catch(() => tell(user)),
  };
}
