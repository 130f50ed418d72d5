import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { build, type Plugin } from 'esbuild';
import { JSDOM } from 'jsdom';

/** Properties and methods of the elements that the tests use; the components declare no types. */
export interface Component extends Omit<HTMLElement, 'remove'> {
  [name: string]: unknown;
  execute(): Promise<never>;
  fetch(options?: object): Promise<never>;
  get(): Promise<never>;
  post(): Promise<never>;
  put(): Promise<never>;
  remove(): Promise<never>;
}

export interface BrowserPage {
  /** Adds an element with these properties, and returns it. */
  readonly add: (name: string, properties: Readonly<Record<string, unknown>>) => Component;
  readonly close: () => void;
}

const elements = ['elements', 'audit-page-provider', 'task-page-provider', 'search'];
const components = '@nuxeo/nuxeo-elements';

/** The components expect the client in a global variable, where its script for browsers puts it. */
const clientIsGlobal: Plugin = {
  name: 'client-is-global',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^nuxeo\/nuxeo\.js$/ }, ({ path }) => ({ path, namespace: 'global' }));
    onLoad({ filter: /.*/, namespace: 'global' }, () => ({ contents: '' }));
  },
};

async function bundle(): Promise<string> {
  const contents = elements.map((name) => `import '${components}/nuxeo-${name}.js';`).join('');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    plugins: [clientIsGlobal],
    bundle: true,
    write: false,
    format: 'iife',
  });
  return outputFiles[0]?.text ?? '';
}

/** A page of the address, with the published web components of another product. */
export async function openPage(url: string): Promise<BrowserPage> {
  const { window } = new JSDOM('<!doctype html>', {
    url,
    runScripts: 'outside-only',
    pretendToBeVisual: true,
  });
  Object.assign(window, { fetch, Headers, Request, Response, AbortController });
  const fromComponents = createRequire(createRequire(import.meta.url).resolve(`${components}/package.json`));
  window.eval(await readFile(fromComponents.resolve('nuxeo/nuxeo.js'), 'utf8'));
  window.eval(await bundle());
  return {
    add: (name, properties) => {
      const element = Object.assign(window.document.createElement(`nuxeo-${name}`), properties);
      window.document.body.append(element);
      return element as unknown as Component;
    },
    close: () => window.close(),
  };
}
