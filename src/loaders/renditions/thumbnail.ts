import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { iconsFolder, stockIcon } from '../../model/icons.ts';
import { type BlobShape, blobAt, textBlob } from '../../model/values/document-blob.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { Rendition } from './rendition.ts';

/** The pictures that come with the server; others that a document may name are on some other server. */
const iconPath = /^\/icons\/([a-z-]+\.svg)$/;

const icons = new Map<string, BlobShape>();

async function readIcon(name: string): Promise<BlobShape> {
  const kept = icons.get(name);
  if (kept) return kept;
  const icon = textBlob(name, 'image/svg+xml', await readFile(join(iconsFolder, name), 'utf8'));
  icons.set(name, icon);
  return icon;
}

/** The picture of the document's type, or of any file where the type has none here. */
async function iconOf({ type, properties }: DocumentRow): Promise<BlobShape> {
  const named = [properties['common:icon'], stockIcon(type)].map((icon) => iconPath.exec(String(icon))?.[1]);
  for (const name of named) {
    const icon = name === undefined ? null : await readIcon(name).catch(() => null);
    if (icon) return icon;
  }
  return readIcon('file.svg');
}

/** A small picture of the main file where it is one, else the picture of the type. */
export const thumbnailRendition: Rendition = {
  name: 'thumbnail',
  kind: 'cmis:thumbnail',
  icon: 'picture',
  isVisible: true,
  isOf: () => true,
  make: async (context, document) => {
    const main = blobAt(context.services.model, document, '');
    const isStored = main !== undefined && main.text === undefined;
    const made = isStored ? await context.services.conversions.of(context.db, 'thumbnail', main) : null;
    if (!made) return iconOf(document);
    const stem = (main?.name ?? document.name).replace(/\.[^.]{1,20}$/, '');
    return { ...made, name: `${stem}.${made.mimeType === 'image/png' ? 'png' : 'jpg'}` };
  },
};
