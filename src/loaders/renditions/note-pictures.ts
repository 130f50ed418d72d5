import { buffer } from 'node:stream/consumers';
import { essence } from '../../blobs/media-type.ts';
import { type BlobShape, blobsAt } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** The types of pictures that browsers show and that contain no code. */
const pictureType = /^image\/(?:png|jpeg|gif|webp|avif)$/;

/** The maximum number and total size of the pictures in a preview. Other pictures are shown by their alternative text. */
const maxPictures = 50;
const maxPictureBytes = 8_000_000;

/** Matches the address of a picture. The length of a tag is limited, so that the search takes linear time. */
const address = /(<img\b[^<>]{0,2000}?\ssrc=")([^"<>]{1,1000})"/gi;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&quot;': '"', '&#39;': "'" };

/** Returns the name that a relative address stands for; undefined for other addresses. */
function nameIn(source: string): string | undefined {
  const text = source.replace(/&(?:amp|quot|#39);/g, (entity) => entities[entity] ?? entity);
  try {
    const name = decodeURIComponent(text.replace(/^\.\//, ''));
    return /[/\\:?#]/.test(name) ? undefined : name;
  } catch {
    return undefined; // It is not percent-encoded correctly.
  }
}

/** Returns the attached pictures to which HTML refers, up to the limits. */
function picturesIn(html: string, attached: readonly BlobShape[]): ReadonlyMap<string, BlobShape> {
  const found = new Map<string, BlobShape>();
  let bytes = 0;
  for (const [, , source = ''] of html.matchAll(address)) {
    const name = nameIn(source);
    const blob = attached.find((each) => each.name === name);
    if (name === undefined || !blob || found.has(name) || found.size >= maxPictures) continue;
    if (bytes + blob.length > maxPictureBytes) continue;
    bytes += blob.length;
    found.set(name, blob);
  }
  return found;
}

/**
 * Embeds the pictures that are attached to a note into its HTML, in which the names of the attachments are their
 * addresses. The frame of a preview loads nothing, not even from this server.
 */
export async function withAttachedPictures(
  { services }: Context,
  document: DocumentRow,
  html: string,
): Promise<string> {
  const attached = (blobsAt(services.model, document, 'files:files') ?? []).filter(({ mimeType }) =>
    pictureType.test(essence(mimeType)),
  );
  if (attached.length === 0) return html;
  const sources = new Map<string, string>();
  // One after the other, so that a preview holds no more than its own pictures.
  for (const [name, { digest, mimeType }] of picturesIn(html, attached)) {
    const bytes = await buffer(await services.blobs.read(digest));
    sources.set(name, `data:${essence(mimeType)};base64,${bytes.toString('base64')}`);
  }
  return html.replace(address, (whole, before: string, source: string) => {
    const shown = sources.get(nameIn(source) ?? '');
    return shown === undefined ? whole : `${before}${shown}"`;
  });
}
