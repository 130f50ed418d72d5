import type { RequestHandler } from 'express';
import type { Log } from '../services.ts';

/**
 * Logs a warning when the browser application of the reference implementation first sends a request to a server with
 * COMPATIBILITY=contract. That application expects a fetched `dc:coverage` to be one entry, where the contract has a
 * list (§10.1), and loses the value when it saves the document.
 */
export function noticeWebUi(log: Pick<Log, 'warn'>): RequestHandler {
  let isNoticed = false;
  return ({ headers }, _, next) => {
    // This is the only known client that sends both headers in this spelling.
    if (!isNoticed && headers['translate-directoryentry'] && headers['fetch-document']) {
      isNoticed = true;
      log.warn(
        'A request looks like one of Nuxeo Web UI, which needs COMPATIBILITY=reference: without it, edits of metadata are lost.',
      );
    }
    next();
  };
}
