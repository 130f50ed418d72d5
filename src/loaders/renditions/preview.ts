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

/** The maximum number of bytes of text in a preview; any further text is cut off. */
const maxBytes = 1_000_000;

interface Previewed {
  readonly context: Context;
  readonly blob: BlobShape;
  readonly address: string;
}

type Preview = (previewed: Previewed) => Promise<string> | string;

const textOf = async ({ blob, context }: Previewed): Promise<string> =>
  blob.text?.slice(0, maxBytes) ?? readBlobStart(context.services.blobs, blob.digest, maxBytes);

/** Escapes the value of an HTML attribute, so that nothing within the value can end it. */
const attribute = escapeHtml;

const framePolicy =
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data:">';

/** Shows HTML in a sandboxed frame, which runs no scripts, has an opaque origin, and loads nothing. */
const frame: Preview = async (previewed) =>
  `<iframe sandbox title="preview" srcdoc="${attribute(framePolicy + (await textOf(previewed)))}"></iframe>`;
const plain: Preview = async (previewed) => `<pre>${escapeHtml(await textOf(previewed))}</pre>`;
const picture: Preview = ({ address }) => `<img src="${attribute(address)}" alt="">`;
/** Shows a PDF without the browser's page list, which would leave too little room for the page. */
const pdf: Preview = ({ address }) =>
  `<object data="${attribute(address)}#navpanes=0" type="application/pdf"></object>`;

/** A way to show files of certain types, either as they are or converted. */
interface Presentation {
  readonly types: RegExp;
  /** The conversion; absent if the file is shown as it is. */
  readonly makes?: readonly [purpose: Purpose, type: string];
  readonly preview: Preview;
}

const any = /./;

/** The presentations in order of preference. If a conversion fails, the next suitable presentation is used. */
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
 * Creates an HTML page that shows a file. It runs no code from the file: text is escaped, and HTML is shown in a
 * sandboxed frame.
 * @returns null for files that browsers cannot show
 * @throws NotInstalled if a program that could convert the file into one that browsers can show is missing
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
  requirePrograms(programsMissingFor('pdf', blob.mimeType, tools), `A preview of ${blob.mimeType}`);
  return null;
}

function unlessFailed(error: unknown): undefined {
  if (error instanceof NotFound) return undefined;
  throw error;
}
