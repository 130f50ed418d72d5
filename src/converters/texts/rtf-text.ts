import { withWindowsSigns } from '../../blobs/text.ts';
import type { Converter } from '../converter.ts';
import { readWhole } from '../whole-file.ts';
import { asText, textLimit } from './text-limit.ts';

/** Encodings by code page, except those named `windows-N`. */
const encodings: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};

function decoderOf(codePage: number): TextDecoder {
  try {
    return new TextDecoder(encodings[codePage] ?? `windows-${codePage}`);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

const hidden = new Set(
  'fonttbl colortbl stylesheet listtable listoverridetable rsidtbl info pict object objdata themedata colorschememapping datastore latentstyles generator xmlnstbl filetbl revtbl fldinst'.split(
    ' ',
  ),
);

const signs: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  cell: '\t',
  tab: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
};

const symbols: Readonly<Record<string, string>> = {
  '\\': '\\',
  '{': '{',
  '}': '}',
  '~': '\u00a0',
  _: '-',
  '\n': '\n',
};

interface Group {
  readonly isHidden: boolean;
  /** The number of fallback characters after \u, for readers that do not support Unicode. */
  readonly fallback: number;
}

const token = /\\([a-z]{1,32})(-?\d{1,9})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n\\]/giy;

/** Extracts the text of RTF. The input is a string in which each character is one byte. */
class RtfText {
  #text = '';
  #bytes: number[] = [];
  #decoder = decoderOf(1252);
  #group: Group = { isHidden: false, fallback: 1 };
  readonly #outer: Group[] = [];
  #skip = 0; // the number of fallback characters to skip

  read(source: string): string {
    token.lastIndex = 0;
    for (let found = token.exec(source); found; found = token.exec(source)) {
      if (this.#text.length >= textLimit) break;
      const [, word, number, hex, symbol, brace, plain] = found;
      if (word === 'bin') token.lastIndex += Math.max(0, Number(number ?? 0));
      else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number));
      else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (brace !== undefined) this.#brace(brace);
      else if (plain !== undefined) this.#plain(plain);
    }
    this.#flush();
    return this.#text;
  }

  #add(text: string): void {
    this.#flush();
    if (!this.#group.isHidden) this.#text += text;
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const text = withWindowsSigns(this.#decoder.decode(Uint8Array.from(this.#bytes)));
    this.#bytes = [];
    if (!this.#group.isHidden) this.#text += text;
  }

  #byte(byte: number): void {
    if (this.#skip > 0) this.#skip -= 1;
    else this.#bytes.push(byte);
  }

  #plain(plain: string): void {
    const from = Math.min(this.#skip, plain.length);
    this.#skip -= from;
    for (let index = from; index < plain.length; index += 1) this.#bytes.push(plain.charCodeAt(index));
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#group = { ...this.#group, isHidden: true };
    else this.#add(symbols[symbol] ?? '');
  }

  #brace(brace: string): void {
    this.#flush();
    this.#skip = 0;
    if (brace === '{') this.#outer.push(this.#group);
    else this.#group = this.#outer.pop() ?? this.#group;
  }

  #word(word: string, number: number | undefined): void {
    if (word === 'u' && number !== undefined) {
      this.#add(String.fromCharCode(number < 0 ? number + 65_536 : number));
      this.#skip = this.#group.fallback;
      return;
    }
    this.#flush();
    const sign = signs[word];
    if (sign !== undefined) this.#add(sign);
    else if (hidden.has(word)) this.#group = { ...this.#group, isHidden: true };
    else if (word === 'uc') this.#group = { ...this.#group, fallback: number ?? 1 };
    else if (word === 'ansicpg') this.#decoder = decoderOf(number ?? 1252);
  }
}

/** Extracts the text of RTF, without pictures, fonts and styles. */
export const rtfText: Converter = {
  name: 'rtf2text',
  makes: 'text',
  takes: ['application/rtf', 'text/rtf'],
  convert: async ({ file }) => {
    const source = (await readWhole(file)).toString('latin1');
    if (!source.startsWith('{\\rtf')) throw new Error('the file is not RTF');
    return asText(new RtfText().read(source));
  },
};
