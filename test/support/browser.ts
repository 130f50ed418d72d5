import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { administrator } from './administrator.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

/**
 * The path of Chromium: the value of the variable CHROMIUM, or one of the usual locations. Undefined if Chromium is not
 * installed.
 */
export const chromiumPath: string | undefined = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && path !== '' && (path === process.env.CHROMIUM || existsSync(path)));

const shell = '/usr/bin/chromium-headless-shell';

/**
 * The path of Chromium's headless shell if it is installed; otherwise, the path of Chromium. The shell needs only half
 * the CPU time but cannot display PDFs.
 */
const shellPath: string | undefined = existsSync(shell) ? shell : chromiumPath;

/** Starts a browser. */
export const launchBrowser = (program = shellPath): Promise<Browser> =>
  chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });

/** A browser page that shows the console, and the faults that have occurred on it. */
export interface Visit {
  readonly page: Page;
  /** Requests to other servers, failed requests, and errors and warnings in the browser's console. */
  readonly faults: string[];
  /** Loads the page at a path, as if the user had entered its address. */
  readonly open: (path: string) => Promise<void>;
  /** Opens a screen without reloading the page, as if the user had clicked a link. */
  readonly go: (path: string) => Promise<void>;
  /**
   * Opens the console with a session. The session is created with a request, because the sign-in form has its own
   * test.
   */
  readonly signIn: (username?: string, password?: string) => Promise<void>;
  /** Checks that there have been no faults so far, and that axe finds no accessibility violations. */
  readonly expectGood: (where?: string) => Promise<void>;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that axe checks: WCAG 2.2 AA and axe's best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function violations(page: Page): Promise<string[]> {
  // `evaluate` uses the debugger, which is not subject to the Content-Security-Policy of the page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run: (
          within: unknown,
          options: object,
        ) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const found = await checker.run(document, { runOnly, resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, rules);
}

/**
 * Drops local files and folders on an element, as if a user had dragged them into the browser.
 * @param distance the distance in pixels from the left and upper edges of the element
 */
export async function drop(
  page: Page,
  selector: string,
  files: readonly string[],
  distance = 50,
): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  const session = await page.context().newCDPSession(page);
  const at = { x: (box?.x ?? 0) + distance, y: (box?.y ?? 0) + distance };
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, ...at, data });
  await send('dragEnter');
  // Chromium ignores a drop if the page has not accepted the drag yet.
  await until(async () => {
    await send('dragOver');
    return (await page.locator('[data-drop-target]').count()) > 0;
  });
  await send('drop');
}

/**
 * Starts a browser for the tests in a file. @returns a function that opens a new page in a separate browser context
 */
export function useBrowser(server: Pick<TestServer, 'listen'>, contextPath = '', program = shellPath) {
  let browser: Browser;
  let origin = '';
  beforeAll(async () => {
    origin = `http://127.0.0.1:${await server.listen()}`;
    browser = await launchBrowser(program);
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close(); // Open pages would continue to send requests.
  });
  afterAll(() => browser.close());

  return async (options: BrowserContextOptions = {}): Promise<Visit> => {
    const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000); // Long enough for a machine that is busy with other tests.
    const faults: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    const running = new Set<unknown>();
    page.on('requestfinished', (request) => running.delete(request));
    page.on('requestfailed', (request) => running.delete(request));
    page.on('request', (request) => {
      const url = request.url();
      if (/^chrome(-extension)?:/.test(url)) return; // The browser's PDF viewer sends these requests.
      // A stream of events does not end while the page is open.
      if (request.headers().accept !== 'text/event-stream') running.add(request);
      if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) faults.push(`foreign: ${url}`);
    });
    page.on('requestfailed', (request) => {
      const failure = request.failure()?.errorText ?? '';
      if (failure !== 'net::ERR_ABORTED') faults.push(`${failure}: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
    });
    /** Waits until the screen has been rendered and no requests are running. */
    const settled = async () => {
      const isSettled = async () =>
        running.size === 0 &&
        (await page.locator('.loading').count()) === 0 &&
        (await page.locator('h1').count()) === 1;
      await until(async () => {
        await page.evaluate(() => new Promise((done) => setTimeout(done, 50))); // Gives the page time to render.
        return isSettled();
      });
    };
    const open = async (path: string) => {
      await page.goto(`${origin}${contextPath}${path}`);
      await settled();
    };
    const go = async (path: string) => {
      await page.evaluate((address) => {
        history.pushState({}, '', address);
        dispatchEvent(new PopStateEvent('popstate'));
      }, `${contextPath}${path}`);
      await settled();
    };
    return {
      page,
      faults,
      open,
      go,
      signIn: async (username = administrator.username, password = administrator.password) => {
        const data = { username, password };
        const response = await context.request.post(`${origin}${contextPath}/login`, { data });
        expect(response.status()).toBe(204);
        await open('/');
      },
      expectGood: async (where = page.url()) => {
        let found = await violations(page);
        // On a busy machine, the page may still be rendering and have no heading yet.
        for (const end = performance.now() + 10_000; found.length > 0 && performance.now() < end; ) {
          await wait(200);
          found = await violations(page);
        }
        expect({ where, faults: [...faults, ...found] }).toEqual({ where, faults: [] });
      },
    };
  };
}
