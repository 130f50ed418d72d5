import { extension } from 'mime-types';
import { essence, storedMediaType } from '../../../blobs/media-type.ts';
import { applyBlobJson } from '../../../store/blobs/blob-values.ts';
import { download } from '../../blobs/download.ts';
import { operation } from '../../operation.ts';
import { shortText, text } from '../../params/kinds.ts';

/** The file name in the last segment of a URL's path. */
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
  description: 'Fetches a file from an address that BLOB_URLS allows, and returns it.',
  example: { none: 'It fetches from the addresses that BLOB_URLS names, and a new server has none.' },
  isForAdministrators: true,
  gives: 'blob',
  params: {
    file: text.required('The address: http or https.'),
    'mime-type': text.withDefault(
      '',
      "The media type; if empty, it is detected from the other server's answer and the file.",
    ),
    filename: shortText.withDefault('', 'The name; by default the last segment of the address.'),
    encoding: text.withDefault('', 'The encoding of the file.'),
  },
  run: async (context, _, { file, 'mime-type': mimeType, filename, encoding }) => {
    const { url, contentType = '', digest, length } = await download(context, file);
    const said = essence(contentType);
    const name = filename || nameIn(url) || `file.${extension(said) || 'bin'}`;
    const type =
      mimeType || (await storedMediaType(context.services.blobs, digest, { name, declared: said }));
    const blob = { name, mimeType: type, encoding: null, digest, length };
    return applyBlobJson(blob, encoding ? { encoding } : {}, 'file');
  },
});
