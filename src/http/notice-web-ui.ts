import type { RequestHandler } from 'express';
import type { Log } from '../services.ts';

/**
 * Warns once when the browser application of the reference implementation sends a request to a server with
 * COMPATIBILITY=contract. It edits a fetched `dc:coverage` as one entry, not as the list that the contract has (§10.1), and
 * what it saves lacks it.
 */
export function noticeWebUi(log: Pick<Log, 'warn'>): RequestHandler {
  let isNoticed = false;
  return ({ headers }, _, next) => {
    // Of the clients that are known, only this one sends both, in this spelling.
    if (!isNoticed && headers['translate-directoryentry'] && headers['fetch-document']) {
      isNoticed = true;
      log.warn(
        'A request looks like one of Nuxeo Web UI, which needs COMPATIBILITY=reference: without it, edits of metadata are lost.',
      );
    }
    next();
  };
}
