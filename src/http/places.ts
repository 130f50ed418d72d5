import type { ServerResponse } from 'node:http';

/** Work for a client that has left is taken to be over after so many milliseconds. */
const overdue = 10_000;

/** Places for requests whose answer is being worked out. */
export interface Places {
  /** How many there are now. */
  free(): number;
  take(response: ServerResponse): void;
}

/** Whether we have to do something for it; else it is the client's turn, to send the rest of its body. */
const isOurTurn = ({ req }: ServerResponse): boolean => req.complete || !req.readableFlowing;

const isAnswered = (response: ServerResponse): boolean => response.headersSent || response.writableEnded;

/** Also of one whose turn on its connection had not come. */
export const isLeft = (response: ServerResponse): boolean => response.closed || response.req.socket.destroyed;

interface Taken {
  readonly response: ServerResponse;
  readonly since: number;
}

/**
 * Places are given back when an answer is sent; when somebody looks for one, who is answered or waited for has none.
 * @param onFree told when an answer has left, and a place may be free for somebody else.
 */
export function createPlaces(most: number, onFree: () => void): Places {
  // No Map: of one that changes with every request the engine keeps old tables, and all that was in them, for long.
  const places: Array<Taken | undefined> = [];
  const unused: number[] = [];
  const giveBack = (place: number): void => {
    places[place] = undefined;
    unused.push(place);
  };
  return {
    take: (response) => {
      const place = unused.pop() ?? places.length;
      const taken = { response, since: performance.now() };
      places[place] = taken;
      response.once('close', () => {
        if (places[place] === taken && isAnswered(response)) giveBack(place);
        onFree();
      });
    },
    free: () => {
      const known = places.length - unused.length;
      if (known < most) return most - known;
      let busy = 0;
      for (const [place, taken] of places.entries()) {
        if (!taken) continue;
        const { response, since } = taken;
        const isOverdue = isLeft(response) && performance.now() - since > overdue;
        if (isAnswered(response) || isOverdue) giveBack(place);
        else if (isOurTurn(response)) busy += 1;
      }
      return most - busy;
    },
  };
}
