import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Whether the client closed the connection, which is not an error of the server. */
const isDisconnect = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends a body part by part, at the speed of the client. Resolves when the last part is sent. If the client
 * disconnects, no more parts are generated.
 */
export async function sendParts(
  response: Response,
  parts: AsyncIterable<string | Buffer>,
  through?: Transform,
): Promise<void> {
  const sent = through ? pipeline(parts, through, response) : pipeline(parts, response);
  await sent.catch((error: unknown) => {
    if (!isDisconnect(error)) throw error;
  });
}
