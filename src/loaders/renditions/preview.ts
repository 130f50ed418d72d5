import escapeHtml from 'escape-html';
import { essence } from '../../blobs/media-type.ts';
import { readBlobStart } from '../../blobs/text.ts';
import type { Purpose } from '../../converters/converter.ts';
import { conversionPath, programsMissingFor } from '../../converters/index.ts';
import type { Tools } from '../../converters/programs/programs.ts';
import { NotFound } from '../../errors.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import { changeToken, type DocumentRow } from '../documents/document-row.ts';
import { convertBlob, requirePrograms } from './convert.ts';

/** Longer texts are cut. */
const mostBytes = 1_000_000;

interface Previewed {
  readonly context: Context;
  readonly blob: BlobShape;
  readonly address: string;
}

type Preview = (previewed: Previewed) => Promise<string> | string;

const textOf = async ({ blob, context }: Previewed): Promise<string> =>
  blob.text?.slice(0, mostBytes) ?? readBlobStart(context.services.blobs, blob.digest, mostBytes);

/** The characters of an attribute's value; nothing in it ends the value. */
const attribute = escapeHtml;

const framePolicy =
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data:">';

/** A page in a frame without rights: nothing in it runs, it has no origin, and it loads nothing. */
const frame: Preview = async (previewed) =>
  `<iframe sandbox title="preview" srcdoc="${attribute(framePolicy + (await textOf(previewed)))}"></iframe>`;
const plain: Preview = async (previewed) => `<pre>${escapeHtml(await textOf(previewed))}</pre>`;
const picture: Preview = ({ address }) => `<img src="${attribute(address)}" alt="">`;
/** Without the list of pages, for which there is no room beside a page. */
const pdf: Preview = ({ address }) =>
  `<object data="${attribute(address)}#navpanes=0" type="application/pdf"></object>`;

/** How a file is shown: as it is, or as what it is converted to. */
interface Presentation {
  readonly types: RegExp;
  readonly makes?: readonly [purpose: Purpose, type: string];
  readonly preview: Preview;
}

const any = /./;

/** The first that takes a file shows it; where its conversion fails, the next one does. */
const presentations: readonly Presentation[] = [
  { types: /^text\/html$|^application\/xhtml\+xml$/, preview: frame },
  { types: /^text\/(x-|x-web-)?markdown$/, makes: ['html', 'text/html'], preview: frame },
  { types: /^image\/(jpeg|png|webp|gif|avif|bmp|svg\+xml)$/, preview: picture },
  {
    types: /^text\/(?!rtf$)|^application\/(json|xml|x-ndjson|javascript|yaml)$|\+(json|xml)$/,
    preview: plain,
  },
  { types: /^application\/pdf$/, preview: pdf },
  { types: /^audio\//, preview: ({ address }) => `<audio controls src="${attribute(address)}"></audio>` },
  { types: /^video\//, preview: ({ address }) => `<video controls src="${attribute(address)}"></video>` },
  { types: /^image\//, makes: ['jpeg', 'image/jpeg'], preview: picture },
  { types: any, makes: ['pdf', 'application/pdf'], preview: pdf },
  { types: any, makes: ['text', 'text/plain'], preview: plain },
];

function presentationsOf(blob: Pick<BlobShape, 'mimeType'>, tools: Tools): Presentation[] {
  const type = essence(blob.mimeType);
  return presentations.filter(
    ({ types, makes }) => types.test(type) && (!makes || conversionPath(makes[0], type, tools)),
  );
}

export const hasPreview = (blob: BlobShape | undefined, tools: Tools): boolean =>
  blob !== undefined && presentationsOf(blob, tools).length > 0;

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
 * @throws NotInstalled where a program is missing that would make something of it that they show.
 */
export async function previewPage(
  context: Context,
  document: DocumentRow,
  { blob, xpath }: { readonly blob: BlobShape; readonly xpath: string },
): Promise<string | null> {
  const { links } = context.options;
  const { tools } = context.services.conversions;
  const token = changeToken(document);
  for (const { makes, preview } of presentationsOf(blob, tools)) {
    const [, type] = makes ?? [];
    const address = type
      ? links.conversion(document, xpath, type, token)
      : links.blob(document, xpath, token);
    const shown = type ? await convertBlob(context, blob, { type }).catch(unlessFailed) : blob;
    if (!shown) continue;
    const body = await preview({ context, blob: shown, address: `${address}&inline=true` });
    return page(blob.name ?? document.name, body);
  }
  requirePrograms(programsMissingFor('pdf', blob.mimeType, tools), `a preview of ${blob.mimeType}`);
  return null;
}

function unlessFailed(error: unknown): undefined {
  if (error instanceof NotFound) return undefined;
  throw error;
}
