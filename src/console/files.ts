import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import escapeHtml from 'escape-html';
import express, { type Request, type RequestHandler, Router } from 'express';
import { consoleSession, createSessions } from '../auth/session.ts';
import { NotFound } from '../errors.ts';
import type { Secrets } from '../secrets.ts';

/** The folder with the built console. The path is correct for code in `src/` and in `dist/`. */
export const consoleFolder = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/**
 * The content security policy: only scripts and styles from this server. React sets inline styles through the DOM,
 * which the policy does not restrict.
 */
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

/** The first path segments of the screens of the console, as in `web/src/app/screens.tsx`. */
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

/** Whether a page of the documentation exists at the path. Below `/reference` the page itself finds the operation. */
async function isDocument({ path }: Request): Promise<boolean> {
  const [, name = '', ...rest] = path.replace(/\/$/, '').split('/');
  if (name === 'reference') return rest.length < 2;
  const known = JSON.parse(
    await readFile(`${consoleFolder}documents.json`, 'utf8').catch(() => '[]'),
  ) as string[];
  return rest.length === 0 && (name === '' || known.includes(name));
}

/** Whether to answer with HTML. Clients such as curl, which accept anything, get existing pages and JSON errors. */
const wantsPage = (request: Request, isKnown: boolean): boolean =>
  request.accepts(isKnown ? ['html', 'json'] : ['json', 'html']) === 'html';

interface PageSettings {
  readonly contextPath: string;
  readonly secrets: Secrets;
}

/**
 * Sends an HTML page. The address that its links are relative to, and whether it has to show the sign-in form, are
 * inserted. At an unknown address browsers get the page with status 404.
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
    if (page === undefined) return next(); // the console is not built
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

/** Serves the assets. Their names contain a hash of their content, so they can be cached without expiry. */
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

/** Serves the console, and the documentation below `/docs`, without authentication. */
export function consoleFiles(settings: PageSettings): Router {
  const router = Router();
  router.use('/assets', assets, noAsset);
  router.use('/docs', sendPageFile('docs.html', settings, isDocument));
  router.use(sendPageFile('index.html', settings, isScreen));
  return router;
}
