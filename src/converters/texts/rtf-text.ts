import { withWindowsSigns } from '../../blobs/legacy-encoding.ts';
import type { Converter } from '../converter.ts';
import { readWhole } from '../whole-file.ts';
import { encodingOfCodePage } from './code-pages.ts';
import { asText, textLimit } from './text-limit.ts';

/** The code pages of the font character sets that \\fcharset specifies. */
const codePages: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

function decoderOf(codePage: number): TextDecoder {
  try {
    return new TextDecoder(encodingOfCodePage(codePage));
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
  /**
   * The number of fallback characters that follow a \u escape. Programs without Unicode support show them instead.
   */
  readonly fallback: number;
  /** The number of the font, which determines the encoding; undefined for the default font. */
  readonly font?: number | undefined;
  /** Whether the group defines fonts. */
  readonly definesFonts?: boolean;
}

const token = /\\([a-z]{1,32})(-?\d{1,9})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n\\]/giy;

/** Extracts the text of RTF. Each character of the input string stands for one byte. */
class RtfText {
  #text = '';
  #bytes: number[] = [];
  #decoder = decoderOf(1252);
  /** The decoders for fonts that specify an encoding, by font number. */
  readonly #fonts = new Map<number, TextDecoder>();
  #defaultFont = 0;
  #group: Group = { isHidden: false, fallback: 1 };
  readonly #outer: Group[] = [];
  #skip = 0; // the number of fallback characters that are still to be skipped

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
    const text = withWindowsSigns(this.#fontDecoder().decode(Uint8Array.from(this.#bytes)));
    this.#bytes = [];
    if (!this.#group.isHidden) this.#text += text;
  }

  #fontDecoder(): TextDecoder {
    return this.#fonts.get(this.#group.font ?? this.#defaultFont) ?? this.#decoder;
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
    else if (hidden.has(word))
      this.#group = { ...this.#group, isHidden: true, definesFonts: word === 'fonttbl' };
    else if (word === 'uc') this.#group = { ...this.#group, fallback: number ?? 1 };
    else if (word === 'ansicpg') this.#decoder = decoderOf(number ?? 1252);
    else this.#fontWord(word, number);
  }

  #fontWord(word: string, number: number | undefined): void {
    const { font, definesFonts } = this.#group;
    if (word === 'f') this.#group = { ...this.#group, font: number };
    else if (word === 'plain') this.#group = { ...this.#group, font: undefined };
    else if (word === 'deff') this.#defaultFont = number ?? 0;
    else if (definesFonts && font !== undefined && number !== undefined) {
      const codePage = word === 'fcharset' ? codePages[number] : word === 'cpg' ? number : undefined;
      if (codePage !== undefined) this.#fonts.set(font, decoderOf(codePage));
    }
  }
}

/** Extracts the text of RTF, without pictures, fonts and styles. @throws Error if the bytes are not RTF. */
export function textOfRtf(bytes: Buffer): string {
  const source = bytes.toString('latin1');
  if (!source.startsWith('{\\rtf')) throw new Error('the file is not RTF');
  return new RtfText().read(source);
}

export const rtfText: Converter = {
  name: 'rtf2text',
  makes: 'text',
  takes: ['application/rtf', 'text/rtf'],
  convert: async ({ file }) => asText(textOfRtf(await readWhole(file))),
};
