/** PostgreSQL's protocol, as far as sessions that share one connection need to know it. */

export type OnData = (data: Uint8Array) => void;

export function messageOf(type: string, content: string): Buffer {
  const message = Buffer.from(`${type}\0\0\0\0${content}`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

export const typeOf = (message: Uint8Array): string => String.fromCharCode(message[0] ?? 0);

export const queryMessage = (sql: string): Buffer => messageOf('Q', `${sql}\0`);

/** The position of the name of a prepared statement in a message; 0 where there is none. */
export function statementNameAt(message: Buffer): number {
  switch (typeOf(message)) {
    case 'P':
      return 5;
    case 'B':
      return message.indexOf(0, 5) + 1; // after the name of the portal
    case 'D':
    case 'C':
      return message[5] === 'S'.charCodeAt(0) ? 6 : 0;
    default:
      return 0;
  }
}

/** The same message with a prefix before the name of a prepared statement: the session is shared. */
export function withOwnNames(message: Buffer, prefix: string): Buffer {
  const at = statementNameAt(message);
  if (at === 0 || !message[at]) return message; // no name, or the empty one
  const renamed = Buffer.concat([message.subarray(0, at), Buffer.from(prefix), message.subarray(at)]);
  renamed.writeInt32BE(renamed.length - 1, 1);
  return renamed;
}

export const nameAt = (message: Buffer, at: number): string =>
  message.toString('utf8', at, message.indexOf(0, at));

/** Calls back with each notification in a stream of messages, however it is cut into chunks. */
export function eachNotification(onNotification: (message: Buffer) => void): OnData {
  let rest = Buffer.alloc(0);
  let skipped = 0;
  return (chunk) => {
    const data = Buffer.concat([rest, chunk]);
    let at = Math.min(skipped, data.length);
    skipped -= at;
    while (data.length - at >= 5) {
      const end = at + data.readInt32BE(at + 1) + 1;
      const isNotification = data[at] === 'A'.charCodeAt(0);
      if (isNotification && end > data.length) break;
      if (isNotification) onNotification(data.subarray(at, end));
      at = Math.min(end, data.length);
      skipped = end - at;
    }
    rest = data.subarray(at);
  };
}
