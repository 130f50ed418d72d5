import { extension } from 'mime-types';
import { essence, storedFileType } from '../../../blobs/media-type.ts';
import { applyBlobJson } from '../../../store/blobs/blob-values.ts';
import { download } from '../../blobs/download.ts';
import { operation } from '../../operation.ts';
import { shortText, text } from '../../params/kinds.ts';

/** Returns the file name, which is the last segment of the URL's path. */
function nameIn({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last).replace(/[/\\\p{Cc}]/gu, '_');
  } catch {
    return last;
  }
}

export const blobCreateFromUrl = operation({
  id: 'Blob.CreateFromURL',
  aliases: ['Blob.Create'],
  label: 'File From URL',
  category: 'Files',
  description: 'Downloads a file from a URL that BLOB_URLS allows, and returns it.',
  example: { none: 'It downloads only from URLs listed in BLOB_URLS, which is empty on a new server.' },
  isForAdministrators: true,
  gives: 'blob',
  params: {
    file: text.required('The URL, with http or https.'),
    'mime-type': text.withDefault(
      '',
      "The media type; if empty, it is detected from the other server's response and the file.",
    ),
    filename: shortText.withDefault('', 'The name; by default the last segment of the URL.'),
    encoding: text.withDefault('', 'The encoding of the file.'),
  },
  run: async (context, _, { file, 'mime-type': mimeType, filename, encoding }) => {
    const { url, contentType = '', digest, length } = await download(context, file);
    const said = essence(contentType);
    const name = filename || nameIn(url) || `file.${extension(said) || 'bin'}`;
    const charset = /;\s{0,9}charset="?([\w.:-]+)/i.exec(contentType)?.[1];
    const found = await storedFileType(context.services.blobs, digest, {
      name,
      declared: said,
      encoding: charset,
    });
    const blob = { name, ...found, ...(mimeType && { mimeType }), digest, length };
    return applyBlobJson(blob, encoding ? { encoding } : {}, 'file');
  },
});
