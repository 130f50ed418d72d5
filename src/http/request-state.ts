import type { RequestHandler, Response } from 'express';
import onHeaders from 'on-headers';
import { type Meter, newMeter } from '../db/meter.ts';
import type { Principal } from '../security/principal.ts';

interface RequestState {
  readonly start: number;
  readonly meter: Meter;
  graphqlMilliseconds: number;
  user?: Principal;
}

export const requestStateOf = (response: Response): RequestState => response.locals.state as RequestState;

const serverTiming = ({ start, meter, graphqlMilliseconds }: RequestState): string => {
  const total = (performance.now() - start).toFixed(1);
  const sql = `sql;dur=${meter.milliseconds.toFixed(1)};desc="${meter.statements}"`;
  return `total;dur=${total}, graphql;dur=${graphqlMilliseconds.toFixed(1)}, ${sql}`;
};

/**
 * Counts the cost of a request, for `Server-Timing`: in production only administrators get it.
 * `X-Search-Delay` says that its searches could not wait for the index.
 */
export const measureRequests =
  (isProduction: boolean): RequestHandler =>
  (_, response, next) => {
    const state: RequestState = { start: performance.now(), meter: newMeter(), graphqlMilliseconds: 0 };
    response.locals.state = state;
    onHeaders(response, () => {
      if (state.meter.searchDelay > 0) response.setHeader('X-Search-Delay', String(state.meter.searchDelay));
      if (isProduction && !state.user?.isAdministrator) return;
      response.setHeader('Server-Timing', serverTiming(state));
    });
    next();
  };

/** `Server-Timing` of an answer that was sent without any work. */
export const zeroServerTiming = (isProduction: boolean): Readonly<Record<string, string>> =>
  isProduction ? {} : { 'Server-Timing': 'total;dur=0.0, graphql;dur=0.0, sql;dur=0.0;desc="0"' };
