import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import { createHttpServer } from '../../src/http/http-server.ts';
import { messageClassesOf } from '../../src/http/message-classes.ts';

test('requests and responses are created with the prototypes of the application and keep them', async () => {
  const app = express();
  const { messages, headListeners } = messageClassesOf(app);
  app.get('/a/:name', (request, response) => {
    const isRequest = Object.getPrototypeOf(request) === messages.IncomingMessage.prototype;
    const isResponse = Object.getPrototypeOf(response) === messages.ServerResponse.prototype;
    response.json({ isRequest, isResponse, name: request.params.name, isApp: request.app === app });
  });
  const server = createHttpServer(Object.assign(app, { messages, headListeners })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/a/b`);
  expect(await answer.json()).toEqual({ isRequest: true, isResponse: true, name: 'b', isApp: true });
  server.close();
});
