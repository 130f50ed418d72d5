import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { iconsFolder, stockIcon } from '../../model/icons.ts';
import { type BlobShape, blobAt, textBlob } from '../../model/values/document-blob.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { Rendition } from './rendition.ts';

/**
 * Matches the paths of icons that come with the server. A document can also name an icon elsewhere, which is ignored.
 */
const iconPath = /^\/icons\/([a-z-]+\.svg)$/;

const icons = new Map<string, BlobShape>();

async function readIcon(name: string): Promise<BlobShape> {
  const cached = icons.get(name);
  if (cached) return cached;
  const icon = textBlob(name, 'image/svg+xml', await readFile(join(iconsFolder, name), 'utf8'));
  icons.set(name, icon);
  return icon;
}

/** The icon that the document names or, failing that, the icon of its type or the general icon for files. */
async function iconOf({ type, properties }: DocumentRow): Promise<BlobShape> {
  const named = [properties['common:icon'], stockIcon(type)].map((icon) => iconPath.exec(String(icon))?.[1]);
  for (const name of named) {
    const icon = name === undefined ? null : await readIcon(name).catch(() => null);
    if (icon) return icon;
  }
  return readIcon('file.svg');
}

/** A small version of the main file or, if that cannot be converted, the icon of the document's type. */
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
