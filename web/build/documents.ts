import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked, type Tokens } from 'marked';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A part of a document below a heading, as the search finds it. */
export interface Section {
  /** Relative to the page's base: `docs/search#limits`. */
  readonly address: string;
  readonly title: string;
  readonly text: string;
}

/** A document as `/docs` shows it. */
export interface ShownDocument {
  /** Its address is `docs/NAME`. */
  readonly name: string;
  readonly title: string;
  /** Each picture is `%PICTURE0%`, the next `%PICTURE1%`: the places of `pictures`. */
  readonly html: string;
  /** Files, relative to the root of the project. */
  readonly pictures: readonly string[];
  readonly sections: readonly Section[];
}

const atRoot = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** By file, relative to the root: README first, then in the order in which it lists them. */
export function documentFiles(): string[] {
  const below = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const list = readme.slice(readme.indexOf('\n## Documentation'));
  const place = (file: string) => {
    const at = list.indexOf(`](${file})`);
    return at < 0 ? list.length : at;
  };
  const [first = '', ...others] = atRoot;
  const files = [...below.map((name) => `docs/${name}`), ...others];
  return [first, ...files.sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1))];
}

export const nameOf = (file: string): string => basename(file, '.md').toLowerCase();

const addressOf = (name: string, anchor = ''): string => `docs/${name}${anchor && `#${anchor}`}`;

/** The anchor that GitHub gives to a heading, without the number of a repeated one. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replaceAll(' ', '-');

const plain = (text: string): string =>
  text
    .replaceAll(/\]\([^)]*\)|[`*|#>[\]]+|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Where a link of a file leads; undefined for files of the project that are not shown. */
function targetOf(file: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  const [path = '', anchor] = href.split('#', 2);
  const target = path === '' ? file : join(file, '..', path);
  if (target === 'openapi.json') return 'docs/reference';
  return documentFiles().includes(target) ? addressOf(nameOf(target), anchor) : undefined;
}

/** Renders a document, so that its links lead to the pages of `/docs`. */
export function shownDocument(file: string): ShownDocument {
  const name = nameOf(file);
  const pictures: string[] = [];
  const sections: Section[] = [];
  const anchors = new Map<string, number>();
  const text: string[] = [];
  const end = () => {
    const last = sections.pop();
    if (last) sections.push({ ...last, text: plain(text.splice(0).join(' ')) });
  };
  const begin = (heading: Tokens.Heading): string => {
    const slug = slugOf(plain(heading.text));
    const count = anchors.get(slug) ?? 0;
    anchors.set(slug, count + 1);
    const anchor = count === 0 ? slug : `${slug}-${count}`;
    end();
    const address = addressOf(name, heading.depth === 1 ? '' : anchor);
    sections.push({ address, title: plain(heading.text), text: '' });
    return anchor;
  };
  const marked = new Marked({
    renderer: {
      heading(token) {
        const anchor = begin(token);
        return `<h${token.depth} id="${anchor}">${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
      },
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens);
        const target = targetOf(file, href);
        return target === undefined ? shown : `<a href="${target}">${shown}</a>`;
      },
      image({ href, text: alt }) {
        const at = pictures.push(join(file, '..', href)) - 1;
        return `<img src="%PICTURE${at}%" alt="${alt}" loading="lazy">`;
      },
      html: () => '',
    },
  });
  const tokens = marked.lexer(readFileSync(join(root, file), 'utf8'));
  const html = tokens
    .map((token) => {
      if (token.type !== 'heading') text.push(token.raw);
      const part = marked.parser([token]);
      return token.type === 'table'
        ? `<div class="wide" tabindex="0" role="group" aria-label="Table">${part}</div>`
        : part;
    })
    .join('');
  end();
  return { name, title: sections[0]?.title ?? name, html, pictures, sections };
}
