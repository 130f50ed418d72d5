import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import escapeHtml from 'escape-html';
import { Marked, type Tokens } from 'marked';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A section of a document, from one heading to the next. Each section is an entry in the search index. */
export interface Section {
  /** The address relative to the base of the page, such as `docs/search#limits`. */
  readonly address: string;
  readonly title: string;
  readonly text: string;
  /** The level of the heading: 1 for the title of the page. */
  readonly depth: number;
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

/** The documents outside docs/, the first of which is the start page. */
const outside = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'DEPENDENCIES.md',
  'SECURITY.md',
  'deploy/monitoring/runbook.md',
  'examples/graphql/tasks.md',
];

/**
 * Returns the paths of all documents relative to the project's root: the README first, then the other documents in
 * the order in which the README lists them.
 */
export function documentFiles(): string[] {
  const below = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const list = readme.slice(readme.indexOf('\n## Documentation'));
  const place = (file: string) => {
    const at = list.indexOf(`](${file})`);
    return at < 0 ? list.length : at;
  };
  const [first = '', ...others] = outside;
  const files = [...below.map((name) => `docs/${name}`), ...others];
  return [first, ...files.sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1))];
}

/**
 * The group of each document: the bold line under which README lists it. Documents that README does not list belong to the
 * last group, README itself to none.
 */
export function documentGroups(): ReadonlyMap<string, string> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, list = ''] = readme.split('\n## Documentation\n');
  const groups = new Map<string, string>();
  let group = '';
  for (const line of list.split('\n## ', 1)[0]?.split('\n') ?? []) {
    group = /^\*\*(.+)\*\*$/.exec(line)?.[1] ?? group;
    for (const [, file = ''] of line.matchAll(/\]\(([^)#]+)\)/g)) groups.set(file, group);
  }
  for (const file of documentFiles().slice(1)) if (!groups.has(file)) groups.set(file, group);
  return groups;
}

export const nameOf = (file: string): string => basename(file, '.md').toLowerCase();

const addressOf = (name: string, anchor = ''): string => `docs/${name}${anchor && `#${anchor}`}`;

/** Returns the anchor that GitHub gives to a heading, without the number that GitHub appends to repeated headings. */
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

/**
 * Returns the address for a link in a document. Returns undefined if the linked file is not part of the
 * documentation.
 */
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
    sections.push({ address, title: plain(heading.text), text: '', depth: heading.depth });
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
      code({ text: content, lang = '' }) {
        const code = `<pre><code class="language-${lang}">${escapeHtml(content)}\n</code></pre>`;
        return `<div class="code-block">${code}<button type="button" class="button copy-code">Copy</button></div>\n`;
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
