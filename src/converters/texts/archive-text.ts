import type { Converter } from '../converter.ts';
import { asText, textLimit } from './text-limit.ts';
import { listedFiles, unpacked } from './unpacked.ts';

/** Extracts the names of all files in a zip archive, and the texts of those that are not encrypted. */
export const archiveText: Converter = {
  name: 'zip2text',
  makes: 'text',
  takes: ['application/zip', 'application/x-zip-compressed'],
  hasParts: true,
  convert: async ({ file, textOfPart }) => {
    const listed = await listedFiles(file);
    let text = `${listed.map(({ name }) => name).join('\n')}\n`;
    if (listed.some(({ isEncrypted }) => isEncrypted)) return asText(text);
    for await (const part of unpacked(file, /[^/]$/)) {
      text += `${(await textOfPart(part)) ?? ''}\n`;
      if (text.length >= textLimit) break;
    }
    return asText(text);
  },
};
