/**
 * Everything that depends on undocumented internals of `pg`. Each part provides a guarantee that the documented
 * functions cannot provide, except for packets and BEGIN, which only improve speed.
 *
 * - Large results: `Query` calls `handleDataRow`, `handlePortalSuspended` and `handleReadyForQuery` for each message,
 * collects rows in `_result`, and ignores rows after `_canceledDueToError` is set. The rows of a statement can
 * therefore be counted before they are parsed, and the statement can be ended when there are too many
 * (`send-query.ts`).
 * - Large rows: `Connection.attachListeners` passes the bytes from the server to a parser through a stream's
 * `on('data')`. The parsed messages become events such as `dataRow`, and `Client._getActiveQuery` returns the query
 * that they belong to. A large row can therefore be parsed later, or be skipped without being read (`large-rows.ts`).
 * - Unresponsive servers: `Client.connection.stream` is the socket. Destroying it makes everything that is waiting for
 * a response fail (`cutOff`).
 * - Packets: the same stream can be corked, so that the statements of one turn of the event loop are sent in one packet
 * (`writeTogether`). Without this, 16 clients that read documents by id would get only 0.78 times as many responses per
 * second.
 * - Read-only servers: `Connection` reports session settings as `parameterStatus`, so a server that has become
 * read-only is recognized without a query (`onSetting`).
 * - BEGIN: `Query.submit` writes its messages to the stream immediately, and so do `Connection.bind` and `execute`, so
 * BEGIN is sent together with the first statement of a transaction (`FirstQuery`). A separate BEGIN would add one round
 * trip to every write.
 *
 * The tests in `test/db/pg`, and `frozen`, `pipeline`, `failover` and `pinned-connection` in `test/db`, fail if any of
 * this changes.
 */
import type pg from 'pg';

/** Closes a connection immediately; all of its statements that are waiting for a response fail. */
export const cutOff = (client: pg.Client): void => void client.connection.stream.destroy();

/** Delays writes to a connection until the current turn of the event loop ends, and then calls `ended`. */
export function writeTogether(client: pg.Client, ended: () => void): void {
  const { stream } = client.connection;
  stream.cork();
  setImmediate(() => {
    stream.uncork();
    ended();
  });
}

/**
 * Calls `heard` with each setting that PostgreSQL reports, both at the start of a session and whenever the setting
 * changes.
 */
export const onSetting = (client: pg.Client, heard: (name: string, value: string) => void): void =>
  void client.connection.on(
    'parameterStatus',
    (status: { readonly parameterName: string; readonly parameterValue: string }) =>
      heard(status.parameterName, status.parameterValue),
  );
