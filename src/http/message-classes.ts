import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** A function that sets headers of a response just before they are sent. */
export type HeadListener = (response: ServerResponse) => void;

export interface Application extends RequestListener {
  readonly messages: {
    readonly IncomingMessage: NonNullable<ServerOptions['IncomingMessage']>;
    readonly ServerResponse: NonNullable<ServerOptions['ServerResponse']>;
  };
  /**
   * Functions that are called before the headers of each response are sent, including responses to requests that do not
   * reach the application.
   */
  readonly headListeners: HeadListener[];
}

interface ParsedQuery {
  readonly url: string | undefined;
  readonly query: unknown;
}

/**
 * Returns message classes for Node's HTTP server with the prototypes that Express uses. Without them, Express changes
 * the prototype of each message at run time. V8 then runs the code of Express and of Node's HTTP module only half as
 * fast, and keeps each message in memory until a full garbage collection.
 */
export function messageClassesOf(app: Express): Pick<Application, 'messages' | 'headListeners'> {
  const headListeners: HeadListener[] = [];
  const { request, response } = app;
  class Request extends IncomingMessage {
    declare parsedQuery: ParsedQuery | undefined;

    /** Caches the parsed query string, which Express would otherwise parse at every access. */
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
