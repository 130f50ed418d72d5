import type supertest from 'supertest';

/** Calls an operation as somebody. */
export const call = (
  request: ReturnType<typeof supertest.agent>,
  operation: string,
  {
    input,
    params = {},
    ...more
  }: { input?: unknown; params?: Record<string, unknown>; context?: unknown } = {},
): supertest.Test => request.post(`/api/v1/automation/${operation}`).send({ input, params, ...more });

/** The answer as text, whatever its type says. */
export const asText = (sent: supertest.Test): supertest.Test =>
  sent.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
  });
