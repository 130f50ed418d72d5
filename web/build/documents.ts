import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked, type Tokens } from 'marked';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A section of a document, from one heading to the next, which is an entry of the search index. */
export interface Section {
  /** The address relative to the base of the page, such as `docs/search#limits`. */
  readonly address: string;
  readonly title: string;
  readonly text: string;
}

/** A Markdown document, rendered for `/docs`. */
export interface ShownDocument {
  /** The name, which is the last part of the address `docs/NAME`. */
  readonly name: string;
  readonly title: string;
  /** The HTML; the placeholders `%PICTURE0%`, `%PICTURE1%` and so on are the addresses of the files in `pictures`. */
  readonly html: string;
  /** The image files, relative to the root of the project. */
  readonly pictures: readonly string[];
  readonly sections: readonly Section[];
}

const atRoot = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** All documents, relative to the root of the project: README first, then the others in the order of its list. */
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

/** The anchor that GitHub gives to a heading, without the number that it appends to repeated headings. */
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

/** The address for a link in a document; undefined for files that are not part of the documentation. */
function targetOf(file: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  const [path = '', anchor] = href.split('#', 2);
  const target = path === '' ? file : join(file, '..', path);
  if (target === 'openapi.json') return 'docs/reference';
  return documentFiles().includes(target) ? addressOf(nameOf(target), anchor) : undefined;
}

/** Renders a document. Its links to other documents become links to their pages below `/docs`. */
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
