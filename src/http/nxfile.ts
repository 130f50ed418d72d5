import type { RequestHandler } from 'express';
import { MethodNotAllowed, NotFound } from '../errors.ts';

/** Maps an address at which clients of the reference implementation expect a file to a path of the REST interface. */
type Target = (repository: string, id: string, rest: readonly string[]) => string;

/** `REPO/UID/XPATH/NAME`: the last segment is the name, unless it is the only segment after the id. */
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

/** `GET /nxfile/REPO/UID/XPATH/NAME` responds like `@blob`. */
export const fileAddresses = (serve: RequestHandler): RequestHandler => serveAt(fileTarget, serve);

/** `REPO/UID/VIEW:content/NAME`: a view of a picture, which is the rendition with the same name. */
const pictureTarget: Target = (repository, id, [view = '']) => {
  const name = /^([^:]+):content$/.exec(decodeURIComponent(view))?.[1];
  if (name === undefined) throw new NotFound('a view of a picture is addressed as NAME:content');
  return ['/repo', repository, 'id', id, '@rendition', encodeURIComponent(name)].join('/');
};

/** `GET /nxpicsfile/REPO/UID/VIEW:content/NAME` responds like `@rendition/VIEW`. */
export const pictureAddresses = (serve: RequestHandler): RequestHandler => serveAt(pictureTarget, serve);
