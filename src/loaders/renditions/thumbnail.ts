import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileIcon } from '../../model/file-icon.ts';
import { iconsFolder, stockIcon } from '../../model/icons.ts';
import { type BlobShape, blobAt, textBlob } from '../../model/values/document-blob.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { fileFaultOf } from './file-fault.ts';
import type { Rendition } from './rendition.ts';

/**
 * Matches the paths of icons that come with the server. Documents can also specify other icons, which are ignored.
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

/** Extracts the name of an icon from its path. Returns undefined if the icon does not come with the server. */
const iconName = (path: unknown): string | undefined => iconPath.exec(String(path))?.[1];

/** The icon that the document specifies or, failing that, the icon of its type or the general icon for files. */
async function iconOf({ type, properties }: DocumentRow): Promise<BlobShape> {
  const named = [properties['common:icon'], stockIcon(type)].map(iconName);
  for (const name of named) {
    const icon = name === undefined ? null : await readIcon(name).catch(() => null);
    if (icon) return icon;
  }
  return readIcon('file.svg');
}

/** Whether a document specifies an icon other than that of its type. */
const hasOwnIcon = ({ type, properties }: DocumentRow): boolean => {
  const name = iconName(properties['common:icon']);
  return name !== undefined && name !== iconName(stockIcon(type));
};

/**
 * A small version of the main file. If the file cannot be converted, the thumbnail is an icon that shows the file's
 * extension, and whether the file is encrypted or unreadable. For documents without a file, the thumbnail is the icon
 * of their type.
 */
export const thumbnailRendition: Rendition = {
  name: 'thumbnail',
  kind: 'cmis:thumbnail',
  icon: 'picture',
  isVisible: true,
  isOf: () => true,
  make: async (context, document) => {
    const main = blobAt(context.services.model, document, '');
    if (main === undefined || main.text !== undefined) return iconOf(document);
    const made = await context.services.conversions.of(context.db, 'thumbnail', main);
    const stem = (main.name ?? document.name).replace(/\.[^.]{1,20}$/, '');
    if (!made) {
      const fault = await fileFaultOf(context, main, 'text');
      if (!fault && hasOwnIcon(document)) return iconOf(document);
      return textBlob(`${stem}.svg`, 'image/svg+xml', fileIcon(main, fault));
    }
    return { ...made, name: `${stem}.${made.mimeType === 'image/png' ? 'png' : 'jpg'}` };
  },
};
