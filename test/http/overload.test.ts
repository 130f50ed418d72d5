import { describe, expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { loopDelay, shedLoad, watchLoopDelay } from '../../src/http/overload.ts';
import { errorHandler } from '../../src/rest/errors.ts';

const appWith = (delay: number) => {
  const app = express();
  app.use(shedLoad({ current: () => delay }));
  app.get('/', (_, response) => response.json({}));
  app.use(errorHandler({ isDevelopment: false, report: () => {} }));
  return supertest(app);
};

describe('load shedding', () => {
  test('requests are served while the event loop is in time', async () => {
    await appWith(100).get('/').expect(200);
  });

  test('and turned away with 503 and Retry-After while it is late', async () => {
    const { headers, body } = await appWith(400).get('/').expect(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 503 });
  });

  /** A clock, and looks at it: on time, or after a stall. */
  function watch() {
    let time = 0;
    const { look, current } = loopDelay(() => time);
    const lookAfter = (milliseconds: number) => {
      time += milliseconds;
      look();
    };
    return { lookAfter, current, pass: (milliseconds: number) => (time += milliseconds) };
  }

  test('one long stall is no overload', () => {
    const { lookAfter, current } = watch();
    lookAfter(50);
    lookAfter(1000);
    expect(current()).toBeLessThan(250);
  });

  test('stall after stall is, and it passes', () => {
    const { lookAfter, current } = watch();
    for (let stall = 0; stall < 8; stall += 1) lookAfter(500);
    expect(current()).toBeGreaterThan(250);
    for (let look = 0; look < 10; look += 1) lookAfter(50);
    expect(current()).toBeLessThan(100);
  });

  test('a loop that is stalled now is late before anybody looks', () => {
    const { pass, current } = watch();
    pass(2000);
    expect(current()).toBeGreaterThan(250);
  });

  test('the running watch starts in time', () => {
    const watched = watchLoopDelay();
    expect(watched.current()).toBeLessThan(250);
    watched.stop();
  });
});
