import type { RequestHandler } from 'express';
import { MethodNotAllowed, NotFound } from '../errors.ts';

/** Maps a path at which the reference implementation serves a file to a path in this server's REST API. */
type Target = (repository: string, id: string, rest: readonly string[]) => string;

/**
 * Maps the path `REPO/UID/XPATH/NAME`. The last segment is the file name, unless it is the only segment after the id.
 */
const fileTarget: Target = (repository, id, rest) => {
  const xpath = rest.length > 1 ? rest.slice(0, -1) : rest;
  return ['/repo', repository, 'id', id, '@blob', ...xpath].join('/');
};

const addressed = /^\/([^/]+)\/([^/]+)(?:\/(.*))?$/s;

const serveAt =
  (target: Target, serve: RequestHandler): RequestHandler =>
  (request, response, next) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method))
      throw new MethodNotAllowed(request.method, ['GET', 'OPTIONS', 'HEAD']);
    const [path = '', ...query] = request.url.split('?');
    const [, repository, id, rest] = addressed.exec(path) ?? [];
    if (repository === undefined || id === undefined) throw new NotFound('There is no file at this address.');
    const segments = rest === undefined || rest === '' ? [] : rest.split('/');
    request.url = [target(repository, id, segments), ...query].join('?');
    return serve(request, response, next);
  };

/** Serves `GET /nxfile/REPO/UID/XPATH/NAME`, which responds like `@blob`. */
export const fileAddresses = (serve: RequestHandler): RequestHandler => serveAt(fileTarget, serve);

/** Maps the path `REPO/UID/VIEW:content/NAME`, a view of a picture, to the rendition with the view's name. */
const pictureTarget: Target = (repository, id, [view = '']) => {
  const name = /^([^:]+):content$/.exec(decodeURIComponent(view))?.[1];
  if (name === undefined)
    throw new NotFound('The address of a picture view must have the form VIEW:content.');
  return ['/repo', repository, 'id', id, '@rendition', encodeURIComponent(name)].join('/');
};

/** `GET /nxpicsfile/REPO/UID/VIEW:content/NAME` responds like `@rendition/VIEW`. */
export const pictureAddresses = (serve: RequestHandler): RequestHandler => serveAt(pictureTarget, serve);
