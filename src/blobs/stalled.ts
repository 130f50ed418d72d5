import type { IncomingMessage } from 'node:http';

/** Milliseconds in which a store has to send something, while it is waited for. */
const patience = 30_000;

/** Ends an answer of a store that has stopped sending; a full one only waits for a slow reader. */
export function destroyWhenStalled(answer: IncomingMessage): IncomingMessage {
  let received = -1;
  const timer = setInterval(() => {
    const { bytesRead = 0 } = answer.socket ?? {};
    const isWaiting = !answer.complete && answer.readableLength < answer.readableHighWaterMark;
    if (isWaiting && bytesRead === received)
      answer.destroy(new Error(`the blob store sent nothing for ${patience} ms`));
    received = bytesRead;
  }, patience).unref();
  return answer.once('close', () => clearInterval(timer));
}
