import escapeHtml from 'escape-html';
import { essence } from '../../blobs/media-type.ts';
import { readBlobStart } from '../../blobs/text.ts';
import type { Converter, Purpose } from '../../converters/converter.ts';
import { conversionPath, programsMissingFor } from '../../converters/index.ts';
import { contentPages } from '../../converters/pages/index.ts';
import { wordPage } from '../../converters/pages/word-page.ts';
import { type Program, programTitle, type Tools } from '../../converters/programs/programs.ts';
import { NotFound, Unavailable } from '../../errors.ts';
import type { FileFault } from '../../model/file-icon.ts';
import type { Language } from '../../model/labels.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import { changeToken, type DocumentRow } from '../documents/document-row.ts';
import { convertBlob, requirePrograms } from './convert.ts';
import { fileFaultOf } from './file-fault.ts';
import { withAttachedPictures } from './note-pictures.ts';

/** The maximum number of bytes of text in a preview, and of HTML with pictures; the rest is cut off. */
const maxBytes = 1_000_000;
const maxPageBytes = 6_000_000;

interface Previewed {
  readonly context: Context;
  readonly blob: BlobShape;
  readonly address: string;
  /** Completes the HTML of a file. */
  readonly complete: (html: string) => Promise<string>;
}

type Preview = (previewed: Previewed) => Promise<string> | string;

const textOf = async ({ blob, context }: Previewed, max = maxBytes): Promise<string> =>
  blob.text?.slice(0, max) ?? readBlobStart(context.services.blobs, blob, max);

/** Escapes the value of an HTML attribute, so that no character in the value can end it. */
const attribute = escapeHtml;

const framePolicy =
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data:">';

/** Shows HTML in a sandboxed frame, which runs no scripts, has an opaque origin, and loads no further resources. */
const frame: Preview = async (previewed) =>
  `<iframe sandbox title="preview" srcdoc="${attribute(
    framePolicy + (await previewed.complete(await textOf(previewed, maxPageBytes))),
  )}"></iframe>`;
const plain: Preview = async (previewed) => `<pre>${escapeHtml(await textOf(previewed))}</pre>`;
const picture: Preview = ({ address }) => `<img src="${attribute(address)}" alt="">`;
/** Shows a PDF without the browser's page list, which would leave too little room for the page. */
const pdf: Preview = ({ address }) =>
  `<object data="${attribute(address)}#navpanes=0" type="application/pdf"></object>`;

const approximate: Readonly<Record<Language, string>> = {
  en: 'Approximate view. Download the file to see its layout.',
  fr: 'Aperçu approximatif. Téléchargez le fichier pour voir sa mise en page.',
};

/** Shows HTML that lacks the layout of the file, and says so. */
const approximateFrame: Preview = async (previewed) =>
  `<div class="noted"><p role="note">${approximate[previewed.context.options.language]}</p>${await frame(previewed)}</div>`;

/** A way to show files of certain types, either converted or unconverted. */
interface Presentation {
  readonly types: Pick<RegExp, 'test'>;
  /** The conversion; absent if the file is shown unconverted. */
  readonly makes?: readonly [purpose: Purpose, type: string];
  /** Whether a thumbnail is created in order to verify that a file shown unconverted is readable. */
  readonly isChecked?: true;
  readonly preview: Preview;
}

const any = /./;

const takenBy = (all: readonly Converter[]): Pick<RegExp, 'test'> => {
  const types = new Set(all.flatMap(({ takes }) => takes));
  return { test: (type) => types.has(type) };
};

/** The presentations in order of preference. If a conversion fails, the next suitable presentation is used. */
const presentations: readonly Presentation[] = [
  { types: /^text\/html$|^application\/xhtml\+xml$/, preview: frame },
  { types: /^text\/(x-|x-web-)?markdown$/, makes: ['html', 'text/html'], preview: frame },
  { types: takenBy(contentPages), makes: ['html', 'text/html'], preview: frame },
  { types: /^image\/(jpeg|png|webp|gif|avif|bmp|svg\+xml)$/, preview: picture, isChecked: true },
  {
    types: /^text\/(?!rtf$)|^application\/(json|xml|x-ndjson|javascript|yaml)$|\+(json|xml)$/,
    preview: plain,
  },
  { types: /^application\/pdf$/, preview: pdf, isChecked: true },
  { types: /^audio\//, preview: ({ address }) => `<audio controls src="${attribute(address)}"></audio>` },
  { types: /^video\//, preview: ({ address }) => `<video controls src="${attribute(address)}"></video>` },
  { types: /^image\//, makes: ['jpeg', 'image/jpeg'], preview: picture },
  { types: any, makes: ['pdf', 'application/pdf'], preview: pdf },
  { types: takenBy([wordPage]), makes: ['html', 'text/html'], preview: approximateFrame },
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

/** Whether a file is a PDF or shown as one, so that its pages can be drawn. */
export const hasPages = (blob: BlobShape | undefined, tools: Tools): boolean =>
  blob !== undefined && presentationsOf(blob, tools)[0]?.preview === pdf;

const style = `html,body{margin:0;height:100%;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}
pre{margin:0;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere}
img,video{display:block;max-width:100%;max-height:100%;margin:auto}
iframe,object{display:block;border:0;width:100%;height:100%}audio{display:block;margin:2rem auto}
p{margin:0;padding:1rem;text-align:center}
.noted{display:flex;flex-direction:column;height:100%}.noted p{padding:.4rem 1rem;font-size:.85rem;color:light-dark(#7a4b00,#eabf79);background:light-dark(#fdf1dc,#392c17)}.noted iframe{flex:1}`;

const messages: Readonly<Record<FileFault, string>> = {
  encrypted: 'This file is encrypted. Download it and open it with its password.',
  unreadable: 'This file cannot be read. It is damaged, or too large or too complex to be shown.',
};

/** @param missing programs that might be able to read the file, but are not installed */
function message(fault: FileFault, missing: readonly Program[] = []): string {
  const verb = missing.length === 1 ? 'is' : 'are';
  const programs = missing.map(programTitle).join(' and ');
  const hint =
    fault === 'unreadable' && programs
      ? ` ${programs} can read more files, but ${verb} not installed on this server.`
      : '';
  return `<p role="alert">${messages[fault]}${hint}</p>`;
}

/**
 * Returns the message to show if no thumbnail of a stored file can be created; empty if a thumbnail can be created.
 * Used for files that are shown unconverted.
 */
async function checked(context: Context, blob: BlobShape): Promise<string> {
  if (blob.text !== undefined) return '';
  try {
    if (await context.services.conversions.of(context.db, 'thumbnail', blob)) return '';
    const fault = await fileFaultOf(context, blob, 'text');
    return fault ? message(fault) : '';
  } catch (error) {
    if (error instanceof Unavailable) return ''; // there is a queue of conversions, but the browser needs none
    throw error;
  }
}

const page = (title: string, body: string): string => `<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>
`;

/**
 * Creates an HTML page that shows a file. It runs no code from the file: text is escaped, and HTML is shown in a
 * sandboxed frame.
 * @returns null for files that browsers cannot show; if a file is encrypted or cannot be read, the page says so
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
  const found = presentationsOf(blob, tools);
  const isNote = blob.text !== undefined;
  const complete = async (html: string) => (isNote ? withAttachedPictures(context, document, html) : html);
  for (const { makes, preview, isChecked } of found) {
    const [, type] = makes ?? [];
    const address = type
      ? links.conversion(document, xpath, type, token)
      : links.blob(document, xpath, token);
    const shown = type ? await convertBlob(context, blob, { type }).catch(unlessFailed) : blob;
    if (!shown) continue;
    const body = await preview({ context, blob: shown, address: `${address}&inline=true`, complete });
    return page(blob.name ?? document.name, (isChecked ? await checked(context, blob) : '') + body);
  }
  const isTried = found.length > 0 && blob.text === undefined;
  const fault = isTried ? await fileFaultOf(context, blob, 'thumbnail') : undefined;
  const missing = programsMissingFor('pdf', blob.mimeType, tools);
  if (fault) return page(blob.name ?? document.name, message(fault, missing));
  requirePrograms(missing, `A preview of ${blob.mimeType}`);
  return null;
}

function unlessFailed(error: unknown): undefined {
  if (error instanceof NotFound) return undefined;
  throw error;
}
