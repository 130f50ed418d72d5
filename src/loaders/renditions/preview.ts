import escapeHtml from 'escape-html';
import { readBlobStart } from '../../blobs/text.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Scope } from '../../scope.ts';
import { changeToken, type DocumentRow } from '../documents/document-row.ts';

/** Longer texts are cut. */
const mostBytes = 1_000_000;

/** Where the bytes of a previewed file are, and the file. */
interface Previewed {
  readonly blob: BlobShape;
  readonly address: string;
  readonly blobs: Scope['blobs'];
}

type Preview = (previewed: Previewed) => Promise<string> | string;

const textOf = async ({ blob, blobs }: Previewed): Promise<string> =>
  blob.text?.slice(0, mostBytes) ?? readBlobStart(blobs, blob.digest, mostBytes);

/** The characters of an attribute's value; nothing in it ends the value. */
const attribute = escapeHtml;

const framePolicy =
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data:">';

const previews: ReadonlyArray<readonly [types: RegExp, preview: Preview]> = [
  // A frame without rights: nothing in the page runs, it has no origin, and it loads nothing.
  [
    /^text\/html$|^application\/xhtml\+xml$/,
    async (previewed) =>
      `<iframe sandbox title="preview" srcdoc="${attribute(framePolicy + (await textOf(previewed)))}"></iframe>`,
  ],
  [
    /^text\/|^application\/(json|xml|x-ndjson|javascript|yaml)$|\+(json|xml)$/,
    async (previewed) => `<pre>${escapeHtml(await textOf(previewed))}</pre>`,
  ],
  [
    /^image\/(jpeg|png|webp|gif|avif|bmp|svg\+xml)$/,
    ({ address }) => `<img src="${attribute(address)}" alt="">`,
  ],
  [
    /^application\/pdf$/,
    ({ address }) => `<object data="${attribute(address)}" type="application/pdf"></object>`,
  ],
  [/^audio\//, ({ address }) => `<audio controls src="${attribute(address)}"></audio>`],
  [/^video\//, ({ address }) => `<video controls src="${attribute(address)}"></video>`],
];

// SVG is XML too, and is to be seen as a picture.
const previewOf = ({ mimeType }: Pick<BlobShape, 'mimeType'>): Preview | undefined => {
  const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const of = type === 'image/svg+xml' ? previews.slice(2) : previews;
  return of.find(([types]) => types.test(type))?.[1];
};

export const hasPreview = (blob: BlobShape | undefined): boolean =>
  blob !== undefined && previewOf(blob) !== undefined;

const style = `html,body{margin:0;height:100%;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}
pre{margin:0;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere}
img,video{display:block;max-width:100%;max-height:100%;margin:auto}
iframe,object{display:block;border:0;width:100%;height:100%}audio{display:block;margin:2rem auto}`;

const page = (title: string, body: string): string => `<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>
`;

/**
 * A page that shows a file and runs nothing: what the file has in it is text, or in a frame without rights.
 * @returns null for files that browsers do not show.
 */
export async function previewPage(
  { blobs, options }: Pick<Scope, 'blobs' | 'options'>,
  document: DocumentRow,
  { blob, xpath }: { readonly blob: BlobShape; readonly xpath: string },
): Promise<string | null> {
  const preview = previewOf(blob);
  if (!preview) return null;
  const address = `${options.links.blob(document, xpath, changeToken(document))}&inline=true`;
  return page(blob.name ?? document.name, await preview({ blob, address, blobs }));
}
