import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Sets headers of a response, just before its head is written. */
export type HeadListener = (response: ServerResponse) => void;

export interface Application extends RequestListener {
  readonly messages: {
    readonly IncomingMessage: NonNullable<ServerOptions['IncomingMessage']>;
    readonly ServerResponse: NonNullable<ServerOptions['ServerResponse']>;
  };
  /** The functions that are called for the head of every response, also if the application has not received the request. */
  readonly headListeners: HeadListener[];
}

interface ParsedQuery {
  readonly url: string | undefined;
  readonly query: unknown;
}

/**
 * Returns message classes whose prototypes are those of Express, for Node's HTTP server. Express changes the prototype
 * of any other message at run time. V8 then runs Express and Node's HTTP code at half the speed, and retains each
 * message until a full garbage collection.
 */
export function messageClassesOf(app: Express): Pick<Application, 'messages' | 'headListeners'> {
  const headListeners: HeadListener[] = [];
  const { request, response } = app;
  class Request extends IncomingMessage {
    declare parsedQuery: ParsedQuery | undefined;

    /** Express parses the query string at every access. */
    get query(): unknown {
      const { url, parsedQuery } = this;
      if (parsedQuery?.url === url) return parsedQuery?.query;
      const query: unknown = Reflect.get(request, 'query', this);
      this.parsedQuery = { url, query };
      return query;
    }
  }
  class Response<For extends IncomingMessage = IncomingMessage> extends ServerResponse<For> {
    override writeHead(status: number, ...given: unknown[]): this {
      for (const listener of headListeners) listener(this);
      return super.writeHead(status, ...(given as []));
    }
  }
  Object.setPrototypeOf(Request.prototype, request);
  Object.setPrototypeOf(Response.prototype, response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { messages: { IncomingMessage: Request, ServerResponse: Response }, headListeners };
}
