import escapeHtml from 'escape-html';
import { extension as extensionOf } from 'mime-types';

/**
 * The reason why no picture of a file can be shown: the file requires a password, or it is damaged, too large or too
 * complex.
 */
export type FileFault = 'encrypted' | 'unreadable';

/** The colors of icons by media type. The first matching entry applies. */
const colors: ReadonlyArray<readonly [types: RegExp, color: string]> = [
  [/^application\/pdf$/, '#b3403a'],
  [/spreadsheet|ms-excel|sun\.xml\.calc|apple\.numbers|^text\/(csv|tab-separated-values)$/, '#3d7d52'],
  [/presentation|powerpoint|sun\.xml\.impress|apple\.keynote/, '#b8622c'],
  [/wordprocessing|msword|ms-word|opendocument\.text|sun\.xml\.writer|apple\.pages|\/rtf$/, '#3b669e'],
  [/^image\//, '#4f8a63'],
  [/^audio\//, '#7a559c'],
  [/^video\//, '#8d4a73'],
  [/zip|[/-](tar|gzip|x-7z|x-rar|x-bzip|x-xz|zstd|rar)|7z-compressed|compressed$/, '#7d6a3f'],
  [/^message\/|ms-outlook|mbox/, '#2f7f88'],
];

const otherColor = '#5f6b78';

const labels: Readonly<Record<FileFault, string>> = { encrypted: 'Encrypted', unreadable: 'Cannot be read' };

/**
 * Returns the extension to show on an icon: the file name's extension or, if it has none, the usual extension for the
 * media type.
 */
function shownExtension(name: string | null, mimeType: string): string {
  const [, ofName] = /\.([a-z0-9]{1,5})$/i.exec(name ?? '') ?? [];
  const ofType = mimeType === 'application/octet-stream' ? false : extensionOf(mimeType);
  return (ofName ?? (ofType || '')).slice(0, 5).toUpperCase();
}

/**
 * Returns an SVG icon for a file without a picture: a page with the file's extension, in the color of its media type.
 * @param fault if set, the icon also shows this fault
 */
export function fileIcon(
  { name, mimeType }: { readonly name: string | null; readonly mimeType: string },
  fault?: FileFault,
): string {
  const color = colors.find(([types]) => types.test(mimeType))?.[1] ?? otherColor;
  const extension = escapeHtml(shownExtension(name, mimeType));
  const label = fault && labels[fault];
  const title = [extension, label?.toLowerCase()].filter(Boolean).join(', ') || 'File';
  const text = (y: number, size: number, content: string) =>
    `<text x="128" y="${y}" font-family="sans-serif" font-size="${size}" font-weight="bold" fill="#fff" text-anchor="middle">${content}</text>`;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256" role="img">',
    `<title>${title}</title>`,
    `<path d="M60 16h92l52 52v164a8 8 0 0 1-8 8H60a8 8 0 0 1-8-8V24a8 8 0 0 1 8-8z" fill="${color}"/>`,
    '<path d="M152 16v52h52z" fill="#fff" fill-opacity=".5"/>',
    extension && text(148, extension.length > 4 ? 36 : 44, extension),
    label && `<path d="M28 176h200v44H28z" fill="#3a3f45"/>${text(206, 24, label)}`,
    '</svg>',
  ].join('');
}
