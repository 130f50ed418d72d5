import type { RequestHandler, Response } from 'express';
import onHeaders from 'on-headers';
import { type Meter, withMeter } from '../db/meter.ts';
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

/** Counts what a request costs, and tells in `Server-Timing`: administrators alone when in production. */
export const timing =
  (isProduction: boolean): RequestHandler =>
  (_, response, next) => {
    const progress: Progress = {
      start: performance.now(),
      meter: { statements: 0, milliseconds: 0 },
      graphql: 0,
    };
    response.locals.progress = progress;
    onHeaders(response, () => {
      if (isProduction && !progress.user?.isAdministrator) return;
      const { start, meter, graphql } = progress;
      const total = (performance.now() - start).toFixed(1);
      const sql = `sql;dur=${meter.milliseconds.toFixed(1)};desc="${meter.statements}"`;
      response.setHeader('Server-Timing', `total;dur=${total}, graphql;dur=${graphql.toFixed(1)}, ${sql}`);
    });
    withMeter(progress.meter, next);
  };
