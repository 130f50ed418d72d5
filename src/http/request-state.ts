import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import onHeaders from 'on-headers';
import { type Meter, newMeter } from '../db/meter.ts';
import { type Carried, type Position, readPosition, writePosition } from '../db/replicas/position.ts';
import type { Principal } from '../security/principal.ts';

interface RequestState {
  readonly start: number;
  readonly meter: Meter;
  graphqlMilliseconds: number;
  user?: Principal;
  readonly carried: Carried;
}

export const requestStateOf = (response: Response): RequestState => response.locals.state as RequestState;

const serverTiming = ({ start, meter, graphqlMilliseconds }: RequestState): string => {
  const total = (performance.now() - start).toFixed(1);
  const sql = `sql;dur=${meter.milliseconds.toFixed(1)};desc="${meter.statements}"`;
  return `total;dur=${total}, graphql;dur=${graphqlMilliseconds.toFixed(1)}, ${sql}`;
};

const positionCookie = 'quire-position';

/** Lifetime of the position cookie in seconds. By then every replica in use has replayed the log up to the position. */
const positionAge = 60;

/** The position in the write-ahead log up to which the caller has read and written, from the cookie of its last answer. */
function carriedPosition({ headers }: IncomingMessage): Position | undefined {
  const [, text = ''] = /(?:^|; )quire-position=([^;]*)/.exec(headers.cookie ?? '') ?? [];
  return readPosition(text);
}

const carryPosition = (response: Response, position: Position): void =>
  void response.append(
    'Set-Cookie',
    `${positionCookie}=${writePosition(position)}; Path=/; Max-Age=${positionAge}; HttpOnly; SameSite=Lax`,
  );

/**
 * Measures the cost of a request and reports it in `Server-Timing`, in production only to administrators. Also sets
 * `X-Search-Delay` when searches of the request could not wait for the index.
 */
export const measureRequests =
  (isProduction: boolean): RequestHandler =>
  (request, response, next) => {
    const carried: Carried = { position: carriedPosition(request) };
    const { position: sent } = carried;
    const state: RequestState = {
      start: performance.now(),
      meter: newMeter(),
      graphqlMilliseconds: 0,
      carried,
    };
    response.locals.state = state;
    onHeaders(response, () => {
      if (state.meter.searchDelay > 0) response.setHeader('X-Search-Delay', String(state.meter.searchDelay));
      if (carried.position && carried.position !== sent) carryPosition(response, carried.position);
      if (isProduction && !state.user?.isAdministrator) return;
      response.setHeader('Server-Timing', serverTiming(state));
    });
    next();
  };

/** The `Server-Timing` header of a request that was refused before any work. */
export const zeroServerTiming = (isProduction: boolean): Readonly<Record<string, string>> =>
  isProduction ? {} : { 'Server-Timing': 'total;dur=0.0, graphql;dur=0.0, sql;dur=0.0;desc="0"' };
