import { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';

/**
 * A response to which nothing can be written: a client that goes away as soon as its answer begins, so that
 * no more than the beginning of a file is read.
 */
function standInFor(request: Request, response: Response, onBegin: () => void): Response {
  const prototype = Object.getPrototypeOf(response);
  const standIn = Object.setPrototypeOf(new ServerResponse(request), prototype) as Response;
  const leave = () => {
    onBegin();
    process.nextTick(() => standIn.destroy().emit('close'));
  };
  return Object.assign(standIn, {
    locals: response.locals,
    write: () => {
      leave();
      return false;
    },
    end: () => {
      leave();
      return standIn;
    },
  });
}

/** The status that an answer would have had. */
export async function answerStatus(
  request: Request,
  response: Response,
  answer: (request: Request, response: Response) => unknown,
): Promise<number> {
  let status: number | undefined;
  const standIn = standInFor(request, response, () => {
    status ??= standIn.statusCode;
  });
  request.res = standIn; // conditions of the request are compared with the headers of its response
  try {
    await answer(request, standIn);
  } finally {
    request.res = response;
  }
  return status ?? standIn.statusCode;
}
