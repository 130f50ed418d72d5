import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import escapeHtml from 'escape-html';
import express, { type Request, type RequestHandler, Router } from 'express';
import { consoleSession, createSessions } from '../auth/session.ts';
import { signInOptions } from '../auth/sign-in-options.ts';
import { NotFound } from '../errors.ts';
import type { Services } from '../services.ts';

/** The folder of the built console. The relative path works both from `src/` and from `dist/`. */
export const consoleFolder = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/**
 * The content security policy. Scripts and styles can be loaded only from this server. The policy does not restrict the
 * inline styles that React sets through the DOM.
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

/** The first path segments of the console's screens. They must match `web/src/app/screens.tsx`. */
export const screenNames: readonly string[] = [
  'home',
  'inbox',
  'browse',
  'document',
  'search',
  'tasks',
  'favorites',
  'collections',
  'trash',
  'account',
  'admin',
];

const isScreen = ({ path }: Request): boolean => {
  const [, name = ''] = path.split('/', 2);
  return name === '' || screenNames.includes(name);
};

/**
 * Returns whether the documentation has a page at the path. Every path below `/reference` is accepted, because the page
 * itself looks up the operation.
 */
async function isDocument({ path }: Request): Promise<boolean> {
  const [, name = '', ...rest] = path.replace(/\/$/, '').split('/');
  if (name === 'reference') return rest.length < 2;
  const known = JSON.parse(
    await readFile(`${consoleFolder}documents.json`, 'utf8').catch(() => '[]'),
  ) as string[];
  return rest.length === 0 && (name === '' || known.includes(name));
}

/**
 * Returns whether to respond with HTML. Clients such as curl, which accept any media type, get HTML only for pages
 * that exist, and JSON errors otherwise.
 */
const wantsPage = (request: Request, isKnown: boolean): boolean =>
  request.accepts(isKnown ? ['html', 'json'] : ['json', 'html']) === 'html';

/** What the page shows of the organization: its name, its color, and whether there is a logo. */
const lookOf = ({ CONSOLE_NAME, CONSOLE_COLOR, CONSOLE_LOGO }: Services['config']) => ({
  name: CONSOLE_NAME,
  ...(CONSOLE_COLOR !== undefined && { color: CONSOLE_COLOR }),
  hasLogo: CONSOLE_LOGO !== undefined,
});

/** Serves the logo. Scripts in an SVG file do not run, even if the file is opened as a page. */
function logo({ CONSOLE_LOGO }: Services['config']): RequestHandler {
  return (request, response, next) => {
    if (CONSOLE_LOGO === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    response.set({
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    response.sendFile(resolve(CONSOLE_LOGO), { maxAge: '1h', dotfiles: 'allow' }, (error) => {
      if (error && !response.headersSent) next(new NotFound('The file of CONSOLE_LOGO cannot be read.'));
    });
  };
}

interface PageSettings {
  readonly services: Pick<Services, 'config' | 'identityProviders' | 'secrets'>;
  /** Whether users can request a link to reset a forgotten password. */
  readonly canReset: boolean;
}

/**
 * Sends an HTML page after inserting the base URL of its links and whether the user is signed in. For unknown
 * addresses, the page is sent with the status 404.
 */
function sendPageFile(
  file: string,
  { services, canReset }: PageSettings,
  knows: (request: Request) => boolean | Promise<boolean>,
): RequestHandler {
  const { CONTEXT_PATH: contextPath } = services.config;
  const sessions = createSessions(services, consoleSession);
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const isKnown = await knows(request);
    if (!wantsPage(request, isKnown)) return next();
    const page = await readFile(`${consoleFolder}${file}`, 'utf8').catch(() => undefined);
    if (page === undefined) return next(); // The console has not been built.
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
          .replaceAll('%LOOK%', () => escapeHtml(JSON.stringify(lookOf(services.config))))
          .replaceAll('%RESET%', canReset ? 'yes' : 'no')
          .replaceAll('%SIGN_IN%', () => escapeHtml(JSON.stringify(signInOptions(services))))
          .replaceAll('%SESSION%', sessions.sealedOf(request.headers) === undefined ? 'no' : 'yes'),
      );
  };
}

/** Serves static assets. Their names contain a hash of their content, so browsers can cache them indefinitely. */
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

/** Serves the console, the documentation at `/docs`, and the guest page, all without authentication. */
export function consoleFiles(settings: PageSettings): Router {
  const router = Router();
  router.use('/assets', assets, noAsset);
  router.use('/console-logo', logo(settings.services.config));
  router.use('/docs', sendPageFile('docs.html', settings, isDocument));
  router.use(
    '/share',
    sendPageFile('share.html', settings, ({ path }) => path === '/'),
  );
  router.use(sendPageFile('index.html', settings, isScreen));
  return router;
}
