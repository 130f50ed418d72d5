import type { Converter } from '../converter.ts';
import { encrypted } from '../encrypted.ts';
import { readBeginning, readWhole } from '../whole-file.ts';
import { isCompoundFile, readCompoundFile, textOfOtherFormat } from './compound-file.ts';
import { isOldWord, textOfOldWord } from './old-word-text.ts';
import { asText } from './text-limit.ts';

/**
 * The flag that marks an encrypted document. It is stored at offset 10 of the WordDocument stream (MS-DOC, FibBase).
 */
const encryptionFlag = 0x0100;

/** The number of bytes that are enough to recognize a document of Word 1 or 2, which is not a compound file. */
const startOfOldWord = 512;

/** Extracts the text of Word 1 to 2003 documents: body, notes, headers, footers, comments and text boxes. */
export const wordText: Converter = {
  name: 'doc2text',
  makes: 'text',
  takes: ['application/msword'],
  hasParts: true,
  convert: async (task) => {
    const { file } = task;
    if (isOldWord(await readBeginning(file, startOfOldWord)))
      return asText(textOfOldWord(await readWhole(file)));
    if (!(await isCompoundFile(file))) return asText(await textOfOtherFormat(task));
    const { bytes, stream } = await readCompoundFile(file);
    const main = stream('WordDocument');
    if (!main || main.length < 12) throw new Error('the file contains no Word document');
    if ((main.readUInt16LE(10) & encryptionFlag) !== 0) throw encrypted();
    if (isOldWord(main)) return asText(textOfOldWord(main));
    const { WordExtractor } = await import('./word-extractor.ts');
    const document = await new WordExtractor().extract(bytes);
    return asText(
      [
        document.getBody(),
        document.getFootnotes(),
        document.getEndnotes(),
        document.getHeaders(),
        document.getAnnotations(),
        document.getTextboxes(),
      ].join('\n'),
    );
  },
};
