import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import sharp from 'sharp';
import type { Plugin } from 'vite';
import { type Found, indexOptions } from '../src/docs/index-options.ts';
import { documentFiles, documentGroups, nameOf, type ShownDocument, shownDocument } from './documents.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
}

/** The entries of the search index: the sections of all pages, and the operations in openapi.json. */
function indexEntries(documents: readonly ShownDocument[]): Found[] {
  const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description = '' }]) => ({
      address: `docs/reference/${operationId}`,
      title: `${method.toUpperCase()} ${path}`,
      summary,
      of: 'REST interface',
      text: `${summary}. ${description}`,
    })),
  );
  const sections = documents.flatMap((shown) =>
    shown.sections.map(({ address, title, text }) => ({
      address,
      title,
      text,
      summary: '',
      of: shown.title,
    })),
  );
  return [...sections, ...operations].map((each) => ({ ...each, start: each.text.slice(0, 160) }));
}

function indexText(documents: readonly ShownDocument[]): string {
  const index = new MiniSearch<Found>(indexOptions);
  index.addAll(indexEntries(documents));
  return JSON.stringify(index);
}

/** The size attributes of an image, so that the browser can reserve its space before it is loaded. */
async function sizeAttributes(file: string): Promise<string> {
  const { width, height } = await sharp(join(root, file)).metadata();
  return `width="${width}" height="${height}"`;
}

const modules: Readonly<Record<string, () => string>> = {
  'virtual:docs-contents': () => {
    const groups = documentGroups();
    const contents = documentFiles().map((file) => {
      const { name, title, sections } = shownDocument(file);
      const parts = sections.filter(({ depth }) => depth === 2);
      return {
        name,
        title: name === 'readme' ? 'Start' : title,
        group: groups.get(file) ?? '',
        sections: parts.map((part) => ({ title: part.title, anchor: part.address.split('#')[1] ?? '' })),
      };
    });
    return `export const contents = ${JSON.stringify(contents)};`;
  },
  'virtual:docs-index': () =>
    `export const indexText = ${JSON.stringify(indexText(documentFiles().map(shownDocument)))};`,
  'virtual:docs-documents': () =>
    `export const documents = {${documentFiles().map(
      (file) =>
        `${JSON.stringify(nameOf(file))}: () => import(${JSON.stringify(join(root, file))}).then(({ html }) => html)`,
    )}};`,
};

/**
 * A Vite plugin that provides the documentation as modules: the HTML of its pages, the table of contents and the
 * search index.
 */
export const docsPlugin: Plugin = {
  name: 'docs',
  resolveId: (id) => (id in modules ? `\0${id}` : undefined),
  load: (id) => modules[id.replace('\0', '')]?.(),
  generateBundle() {
    // The server reads this list to respond with 404 to requests for pages that do not exist.
    const source = JSON.stringify([...documentFiles().map(nameOf), 'parts']);
    this.emitFile({ type: 'asset', fileName: 'documents.json', source });
  },
  async transform(_, id) {
    if (!id.endsWith('.md')) return undefined;
    const { html, pictures } = shownDocument(id.slice(root.length));
    const imports = pictures.map(
      (file, at) => `import picture${at} from ${JSON.stringify(join(root, file))};`,
    );
    const sizes = await Promise.all(pictures.map(sizeAttributes));
    const sized = html.replaceAll(
      /"%PICTURE(\d+)%"/g,
      (address, at: string) => `${address} ${sizes[Number(at)]}`,
    );
    const filled = pictures.map((_, at) => `.replace('%PICTURE${at}%', picture${at})`).join('');
    const code = `${imports.join('\n')}\nexport const html = ${JSON.stringify(sized)}${filled};`;
    return { code, map: null, moduleType: 'js' };
  },
};
