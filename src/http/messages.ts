import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** An application, and the classes of the messages that a server is to hand it. */
export interface Application extends RequestListener {
  readonly messages: {
    readonly IncomingMessage: NonNullable<ServerOptions['IncomingMessage']>;
    readonly ServerResponse: NonNullable<ServerOptions['ServerResponse']>;
  };
}

/**
 * Classes whose instances are an application's requests and responses from the start. Express changes the prototype of
 * those that are not, each time: the engine then runs Express and Node's own HTTP at half their speed, and keeps every
 * one of them until the next full collection of garbage.
 */
export function messagesOf(app: Express): Application['messages'] {
  class Request extends IncomingMessage {}
  class Response<For extends IncomingMessage = IncomingMessage> extends ServerResponse<For> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
