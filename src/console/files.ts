import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import escapeHtml from 'escape-html';
import express, { type Request, type RequestHandler, Router } from 'express';
import { consoleSession, createSessions } from '../auth/session.ts';
import { NotFound } from '../errors.ts';
import type { Secrets } from '../secrets.ts';

/** What `npm run build` makes of `web/`; the same from `src/` and from `dist/`. */
export const consoleFolder = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/** No script or style but the own files; React sets styles by the DOM, which needs no exception. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** How the addresses of the screens of the console begin, in `web/src/app/screens.tsx`. */
export const screenNames: readonly string[] = [
  'browse',
  'document',
  'search',
  'tasks',
  'favorites',
  'trash',
  'admin',
];

const isScreen = ({ path }: Request): boolean => {
  const [, name = ''] = path.split('/', 2);
  return name === '' || screenNames.includes(name);
};

/** Whether it is the address of a document, or of the REST interface, which the page describes as this server has it. */
async function isDocument({ path }: Request): Promise<boolean> {
  const [, name = '', ...rest] = path.replace(/\/$/, '').split('/');
  if (name === 'reference') return rest.length < 2;
  const known = JSON.parse(
    await readFile(`${consoleFolder}documents.json`, 'utf8').catch(() => '[]'),
  ) as string[];
  return rest.length === 0 && (name === '' || known.includes(name));
}

/** Programs such as curl accept anything: they get a page that exists, and JSON where there is none. */
const wantsPage = (request: Request, isKnown: boolean): boolean =>
  request.accepts(isKnown ? ['html', 'json'] : ['json', 'html']) === 'html';

interface PageSettings {
  readonly contextPath: string;
  readonly secrets: Secrets;
}

/**
 * A page, with the address that its links are relative to, and whether it needs to ask for a password. At an address that
 * it does not know it says so to browsers, with the status 404.
 */
function sendPageFile(
  file: string,
  { contextPath, secrets }: PageSettings,
  knows: (request: Request) => boolean | Promise<boolean>,
): RequestHandler {
  const sessions = createSessions(secrets, consoleSession);
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const isKnown = await knows(request);
    if (!wantsPage(request, isKnown)) return next();
    const page = await readFile(`${consoleFolder}${file}`, 'utf8').catch(() => undefined);
    if (page === undefined) return next(); // not built
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'same-origin',
    });
    response
      .status(isKnown ? 200 : 404)
      .vary('Accept')
      .type('html')
      .send(
        page
          .replaceAll('%BASE%', escapeHtml(`${contextPath}/`))
          .replaceAll('%SESSION%', sessions.sealedOf(request.headers) === undefined ? 'no' : 'yes'),
      );
  };
}

/** The names of assets have a hash of their content in them. */
const assets = express.static(`${consoleFolder}assets`, {
  index: false,
  redirect: false,
  maxAge: '1y',
  immutable: true,
  dotfiles: 'ignore',
});

const noAsset: RequestHandler = ({ path }) => {
  throw new NotFound(`There is no resource at ${path}.`);
};

/** The pages and their files, without credentials. All addresses but those of `/docs` are the console. */
export function consoleFiles(settings: PageSettings): Router {
  const router = Router();
  router.use('/assets', assets, noAsset);
  router.use('/docs', sendPageFile('docs.html', settings, isDocument));
  router.use(sendPageFile('index.html', settings, isScreen));
  return router;
}
