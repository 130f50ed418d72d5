import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { type Meter, newMeter } from '../db/meter.ts';
import { type Carried, type Position, readPosition, writePosition } from '../db/replicas/position.ts';
import type { Principal } from '../security/principal.ts';
import type { HeadListener } from './message-classes.ts';

interface RequestState {
  readonly start: number;
  readonly meter: Meter;
  graphqlMilliseconds: number;
  user?: Principal;
  /** The position that the caller has sent. */
  readonly sentPosition: Position | undefined;
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

/** The position in the write-ahead log up to which the caller has read and written, from the cookie of its last response. */
function carriedPosition({ headers }: IncomingMessage): Position | undefined {
  const [, text] = /(?:^|; )quire-position=([^;]*)/.exec(headers.cookie ?? '') ?? [];
  return text === undefined ? undefined : readPosition(text);
}

const carryPosition = (response: Response, position: Position): void =>
  void response.append(
    'Set-Cookie',
    `${positionCookie}=${writePosition(position)}; Path=/; Max-Age=${positionAge}; HttpOnly; SameSite=Lax`,
  );

/** Begins to measure the cost of a request. */
export const measureRequests: RequestHandler = (request, response, next) => {
  const sentPosition = carriedPosition(request);
  const state: RequestState = {
    start: performance.now(),
    meter: newMeter(),
    graphqlMilliseconds: 0,
    sentPosition,
    carried: { position: sentPosition },
  };
  response.locals.state = state;
  next();
};

/**
 * Reports the cost of a request in `Server-Timing`, in production only to administrators. Also sets `X-Search-Delay` when
 * searches of the request could not wait for the index, and the cookie with the position that the caller has seen.
 */
export const reportMeasured =
  (isProduction: boolean): HeadListener =>
  (answer) => {
    const response = answer as Response;
    const state = response.locals?.state as RequestState | undefined;
    if (!state) return; // refused before it was measured
    const { meter, carried, sentPosition, user } = state;
    if (meter.searchDelay > 0) response.setHeader('X-Search-Delay', String(meter.searchDelay));
    if (carried.position && carried.position !== sentPosition) carryPosition(response, carried.position);
    if (isProduction && !user?.isAdministrator) return;
    response.setHeader('Server-Timing', serverTiming(state));
  };

/** The `Server-Timing` header of a request that was refused before any work. */
export const zeroServerTiming = (isProduction: boolean): Readonly<Record<string, string>> =>
  isProduction ? {} : { 'Server-Timing': 'total;dur=0.0, graphql;dur=0.0, sql;dur=0.0;desc="0"' };
