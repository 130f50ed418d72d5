import { buffer } from 'node:stream/consumers';
import type { Converter } from '../converter.ts';
import { encrypted } from '../encrypted.ts';
import { textOfHtml } from './html-text.ts';
import { asText, textLimit } from './text-limit.ts';
import { unpacked } from './unpacked.ts';

/**
 * Whether a list of encrypted files contains pages. Obfuscated fonts, which are common, are also on this list, but are
 * not pages.
 */
const hasPages = (list: string): boolean =>
  list
    .split('CipherReference')
    .slice(1)
    .some((element) => /\.x?html?["']/i.test(element.split('>', 1)[0] ?? ''));

/** Extracts the text of the pages of an e-book. */
export const epubText: Converter = {
  name: 'epub2text',
  makes: 'text',
  takes: ['application/epub+zip'],
  convert: async ({ file }) => {
    for await (const { bytes } of unpacked(file, /^META-INF\/encryption\.xml$/))
      if (hasPages((await buffer(bytes)).toString())) throw encrypted();
    let text = '';
    for await (const { bytes } of unpacked(file, /\.x?html?$/i)) {
      text += `${await textOfHtml((await buffer(bytes)).toString())}\n`;
      if (text.length >= textLimit) break;
    }
    return asText(text);
  },
};
