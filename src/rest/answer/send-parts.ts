import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Returns whether an error means that the client has closed the connection, which is not a server error. */
const isDisconnect = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends a body part by part, as fast as the client reads it. Resolves when the last part has been sent. If the client
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
