import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** The client closed the connection, which is no fault of the server. */
const isDisconnect = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends a body part by part, none before the client has room for it; resolves when the last one is sent. No
 * more parts are made when the client has gone.
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
