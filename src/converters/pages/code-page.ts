import escapeHtml from 'escape-html';
import { readStart } from '../../blobs/text.ts';
import type { Converter } from '../converter.ts';
import { asPage } from '../texts/html-pages.ts';
import { textLimit } from '../texts/text-limit.ts';

/** The languages by the media types of their files. */
const languages: Readonly<Record<string, string>> = {
  'application/ecmascript': 'javascript',
  'application/graphql': 'graphql',
  'application/javascript': 'javascript',
  'application/json': 'json',
  'application/ld+json': 'json',
  'application/sql': 'sql',
  'application/toml': 'ini',
  'application/typescript': 'typescript',
  'application/x-httpd-php': 'php',
  'application/x-ndjson': 'json',
  'application/x-perl': 'perl',
  'application/x-sh': 'bash',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'text/css': 'css',
  'text/javascript': 'javascript',
  'text/jsx': 'javascript',
  'text/less': 'less',
  'text/x-c': 'cpp',
  'text/x-c++src': 'cpp',
  'text/x-csrc': 'c',
  'text/x-go': 'go',
  'text/x-java-source': 'java',
  'text/x-lua': 'lua',
  'text/x-python': 'python',
  'text/x-sass': 'scss',
  'text/x-scss': 'scss',
  'text/x-sh': 'bash',
  'text/x-sql': 'sql',
  'text/x-typescript': 'typescript',
  'text/xml': 'xml',
  'text/yaml': 'yaml',
};

/** The maximum number of characters that are colored; the rest of a longer file is shown without colors. */
const maxColored = 200_000;

const color = (names: string, light: string, dark: string): string =>
  `${names
    .split(' ')
    .map((name) => `.hljs-${name}`)
    .join()}{color:light-dark(${light},${dark})}`;

const rules = `body{margin:0;display:flex;align-items:start}pre{margin:0;padding:.75rem;font:13px/1.5 ui-monospace,"Liberation Mono",monospace;white-space:pre;tab-size:4}
pre[aria-hidden]{position:sticky;left:0;text-align:right;color:light-dark(#6b7683,#8b96a3);background:light-dark(#fff,#181f27);border-right:1px solid #8884;user-select:none}
${color('comment quote', '#5b6672', '#97a3b0')}${color('keyword selector-tag literal type', '#8a2f8f', '#dc9be6')}
${color('string regexp addition', '#1b6b3a', '#86d3a3')}${color('number symbol bullet link', '#9a4b00', '#e8b072')}
${color('title section name attribute attr', '#1c5a9e', '#8fc0f7')}${color('built_in variable template-variable deletion', '#a3262a', '#f4a3a5')}`;

/** Converts source code and data to a page with line numbers and colors. */
export const codePage: Converter = {
  name: 'code2html',
  makes: 'html',
  takes: Object.keys(languages),
  convert: async ({ file, mimeType, encoding }) => {
    const text = (await readStart(file, textLimit, encoding)).replaceAll('\r\n', '\n').replace(/\n$/, '');
    const { highlighter } = await import('./highlighter.ts');
    const language = languages[mimeType] ?? 'plaintext';
    const colored = highlighter.highlight(text.slice(0, maxColored), {
      language,
      ignoreIllegals: true,
    }).value;
    const lines = Array.from({ length: text.split('\n').length }, (_, index) => index + 1).join('\n');
    const code = colored + escapeHtml(text.slice(maxColored));
    return asPage(`<pre aria-hidden="true">${lines}</pre><pre>${code}</pre>`, rules);
  },
};
