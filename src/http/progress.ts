import type { Express, RequestHandler, Response } from 'express';
import { type Meter, newMeter } from '../db/meter.ts';
import type { Principal } from '../scope.ts';

/** What is known of a request while it is answered. */
export interface Progress {
  readonly start: number;
  readonly meter: Meter;
  /** Spent in the schema, in milliseconds. */
  graphql: number;
  user?: Principal;
}

export const progressOf = (response: Response): Progress => response.locals.progress as Progress;

/** Counts what a request costs. */
export const measureRequests: RequestHandler = (_, response, next) => {
  const progress: Progress = { start: performance.now(), meter: newMeter(), graphql: 0 };
  response.locals.progress = progress;
  next();
};

/** What an answer tells of its cost, in `Server-Timing`: administrators alone when in production. */
function tell(response: Response, isProduction: boolean): void {
  const progress: Progress | undefined = response.locals?.progress;
  if (!progress || (isProduction && !progress.user?.isAdministrator)) return;
  const { start, meter, graphql } = progress;
  const total = (performance.now() - start).toFixed(1);
  const sql = `sql;dur=${meter.milliseconds.toFixed(1)};desc="${meter.statements}"`;
  response.setHeader('Server-Timing', `total;dur=${total}, graphql;dur=${graphql.toFixed(1)}, ${sql}`);
}

/** Of an answer that nobody had any work with, as everybody may see it. */
export const noTime = (isProduction: boolean): Readonly<Record<string, string>> =>
  isProduction ? {} : { 'Server-Timing': 'total;dur=0.0, graphql;dur=0.0, sql;dur=0.0;desc="0"' };

/** Has every answer of an application tell its cost, at the last moment at which headers can be set. */
export function tellTiming({ response: every }: Express, isProduction: boolean): void {
  const writeHead = every.writeHead as (...given: unknown[]) => Response;
  every.writeHead = function (this: Response, ...given: unknown[]) {
    if (!this.headersSent) tell(this, isProduction);
    return writeHead.apply(this, given);
  };
}
