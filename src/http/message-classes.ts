import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

export interface Application extends RequestListener {
  readonly messages: {
    readonly IncomingMessage: NonNullable<ServerOptions['IncomingMessage']>;
    readonly ServerResponse: NonNullable<ServerOptions['ServerResponse']>;
  };
}

/**
 * Classes whose instances are messages of Express from the start. Express would change the prototype of any
 * other message: V8 then runs Express and Node's HTTP at half their speed, and keeps each until a full
 * garbage collection.
 */
export function messageClassesOf(app: Express): Application['messages'] {
  class Request extends IncomingMessage {}
  class Response<For extends IncomingMessage = IncomingMessage> extends ServerResponse<For> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
