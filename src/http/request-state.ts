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
  /** Set if Basic authentication is never accepted for the request, so that a 401 must not ask for it. */
  refusesBasic?: true;
  /** The position that the caller sent. */
  readonly sentPosition: Position | undefined;
  readonly carried: Carried;
}

export const requestStateOf = (response: Response): RequestState => response.locals.state as RequestState;

const serverTiming = ({ start, meter, graphqlMilliseconds }: RequestState): string => {
  const total = (performance.now() - start).toFixed(1);
  const sql = `sql;dur=${meter.milliseconds.toFixed(1)};desc="${meter.statements}"`;
  const all = [`total;dur=${total}`, `graphql;dur=${graphqlMilliseconds.toFixed(1)}`, sql];
  for (const [name, { statements, milliseconds }] of meter.ofExtensions ?? [])
    all.push(`sql-${name};dur=${milliseconds.toFixed(1)};desc="${statements}"`);
  return all.join(', ');
};

const positionCookie = 'quire-position';

/**
 * The lifetime of the position cookie in seconds. Within this time, every replica that serves reads has replayed the
 * write-ahead log up to the position.
 */
const positionAge = 60;

/**
 * Returns the position in the write-ahead log up to which the caller has read and written. It is taken from the cookie
 * that the previous response set.
 */
function carriedPosition({ headers }: IncomingMessage): Position | undefined {
  const [, text] = /(?:^|; )quire-position=([^;]*)/.exec(headers.cookie ?? '') ?? [];
  return text === undefined ? undefined : readPosition(text);
}

const carryPosition = (response: Response, position: Position): void =>
  void response.append(
    'Set-Cookie',
    `${positionCookie}=${writePosition(position)}; Path=/; Max-Age=${positionAge}; HttpOnly; SameSite=Lax`,
  );

/** Starts measuring the cost of a request. */
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
 * Reports the cost of a request in the header `Server-Timing`; in production, only to administrators. Also sets
 * `X-Search-Delay` if searches in the request could not wait for the index, and sets the cookie with the caller's
 * position.
 */
export const reportMeasured =
  (isProduction: boolean): HeadListener =>
  (answer) => {
    const response = answer as Response;
    const state = response.locals?.state as RequestState | undefined;
    if (!state) return; // The request was rejected before it was measured.
    const { meter, carried, sentPosition, user } = state;
    if (meter.searchDelay > 0) response.setHeader('X-Search-Delay', String(meter.searchDelay));
    if (carried.position && carried.position !== sentPosition) carryPosition(response, carried.position);
    if (isProduction && !user?.isAdministrator) return;
    response.setHeader('Server-Timing', serverTiming(state));
  };

/** Returns the `Server-Timing` header of a request that was rejected before it was processed. */
export const zeroServerTiming = (isProduction: boolean): Readonly<Record<string, string>> =>
  isProduction ? {} : { 'Server-Timing': 'total;dur=0.0, graphql;dur=0.0, sql;dur=0.0;desc="0"' };
