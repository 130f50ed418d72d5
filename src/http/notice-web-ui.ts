import type { RequestHandler } from 'express';
import type { Log } from '../services.ts';

/**
 * Logs a warning when Nuxeo Web UI first sends a request to a server with COMPATIBILITY=contract. Nuxeo Web UI expects
 * a fetched `dc:coverage` to be a single entry, but in the contract it is a list (§10.1), so Nuxeo Web UI loses the
 * value when it saves the document.
 */
export function noticeWebUi(log: Pick<Log, 'warn'>): RequestHandler {
  let isNoticed = false;
  return ({ headers }, _, next) => {
    // No other known client sends both headers in this spelling.
    if (!isNoticed && headers['translate-directoryentry'] && headers['fetch-document']) {
      isNoticed = true;
      log.warn(
        'Nuxeo Web UI seems to be in use. Set COMPATIBILITY=reference; otherwise Nuxeo Web UI loses metadata when it saves documents.',
      );
    }
    next();
  };
}
