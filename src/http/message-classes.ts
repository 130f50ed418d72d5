import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

export interface Application extends RequestListener {
  readonly messages: {
    readonly IncomingMessage: NonNullable<ServerOptions['IncomingMessage']>;
    readonly ServerResponse: NonNullable<ServerOptions['ServerResponse']>;
  };
}

/**
 * Returns message classes whose prototypes are those of Express, for Node's HTTP server. Express changes the prototype
 * of any other message at run time. V8 then runs Express and Node's HTTP code at half the speed, and retains each
 * message until a full garbage collection.
 */
export function messageClassesOf(app: Express): Application['messages'] {
  class Request extends IncomingMessage {}
  class Response<For extends IncomingMessage = IncomingMessage> extends ServerResponse<For> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
