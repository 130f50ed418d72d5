/**
 * Everything that depends on how `pg` works inside, beyond its documentation. Each part keeps a promise that the documented
 * functions cannot keep; only the last two are for speed.
 *
 * - `Query`: `handleDataRow`, `handlePortalSuspended` and `handleReadyForQuery` are called for each message, `_result` collects the
 *   rows, and rows after `_canceledDueToError` are ignored. So the rows of a statement are counted before they are parsed, and end
 *   it when they are too many (`send-query.ts`).
 * - `Connection.attachListeners` gives the bytes of the server to a parser by `on('data')` of a stream, whose messages become events
 *   such as `dataRow`, and `Client._getActiveQuery` is the statement that they answer. So a large row neither blocks the event loop
 *   nor is read when it is refused (`large-rows.ts`).
 * - `Client.connection.stream` is the socket: destroying it ends waiting for a server that does not answer (`cutOff`).
 * - The same stream can be corked, so that the statements of one turn of the event loop leave in one packet (`writeTogether`).
 *   Without that, 16 clients that read documents by id get 0.78 of the answers a second.
 * - `Connection` reports settings of the session as `parameterStatus`: a server that takes no writes is recognized without asking
 *   (`onSetting`).
 * - `Query.submit` writes its messages to the stream at once, and `Connection.bind` and `execute` write theirs. So BEGIN leaves with
 *   the first statement of a transaction (`FirstQuery`). A BEGIN of its own costs one more round trip to the server for every write.
 *
 * Tests fail when any of this changes: those in `test/db/pg`, and `frozen`, `pipeline`, `failover` and `pinned-connection` in `test/db`.
 */
import type pg from 'pg';

/** Ends a connection at once, with all statements that wait for an answer on it. */
export const cutOff = (client: pg.Client): void => void client.connection.stream.destroy();

/** Delays what is written to a connection until this turn of the event loop ends, and calls back then. */
export function writeTogether(client: pg.Client, ended: () => void): void {
  const { stream } = client.connection;
  stream.cork();
  setImmediate(() => {
    stream.uncork();
    ended();
  });
}

/** Calls back with each setting that PostgreSQL reports, at the start of a session and when it changes. */
export const onSetting = (client: pg.Client, heard: (name: string, value: string) => void): void =>
  void client.connection.on(
    'parameterStatus',
    (status: { readonly parameterName: string; readonly parameterValue: string }) =>
      heard(status.parameterName, status.parameterValue),
  );
