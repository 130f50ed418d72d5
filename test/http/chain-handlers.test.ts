import { describe, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { chainHandlers } from '../../src/http/chain-handlers.ts';

const saying =
  (word: string): RequestHandler =>
  (_request, response, next) => {
    response.append('X-Said', word);
    next();
  };

const later: RequestHandler = async (_request, _response, next) => {
  await Promise.resolve();
  next();
};

function ask(...handlers: RequestHandler[]) {
  const app = express().use(chainHandlers(...handlers), (_request, response) => response.json('last'));
  app.use(((error, _request, response, _next) => {
    response.status(418).json(String(error));
  }) satisfies express.ErrorRequestHandler);
  return supertest(app).get('/');
}

describe('chainHandlers', () => {
  test('runs handlers in order, asynchronous ones included, and then the next route', async () => {
    const { body, headers } = await ask(saying('one'), later, saying('two'));
    expect(body).toBe('last');
    expect(headers['x-said']).toBe('one, two');
  });

  test('without handlers runs the next route', async () => {
    expect((await ask()).body).toBe('last');
  });

  test('stops after a handler that answers', async () => {
    const { body } = await ask((_request, response) => void response.json('mine'), saying('never'));
    expect(body).toBe('mine');
  });

  test.each<[string, RequestHandler]>([
    [
      'throws',
      () => {
        throw new Error('fault');
      },
    ],
    ['rejects', () => Promise.reject(new Error('fault'))],
    ['passes it on', (_request, _response, next) => next(new Error('fault'))],
  ])('passes the error of a handler that %s to the error handler', async (_, faulty) => {
    for (const handlers of [[faulty], [saying('one'), faulty], [later, faulty, saying('never')]]) {
      const { status, body, headers } = await ask(...handlers);
      expect([status, body]).toEqual([418, 'Error: fault']);
      expect(headers['x-said']).not.toBe('never');
    }
  });
});
