import {
  Archive,
  AudioLines,
  Boxes,
  File,
  FileCode,
  FileSpreadsheet,
  FileText,
  Film,
  Folder,
  Globe,
  Image,
  Layers,
  type LucideIcon,
  Mail,
  NotebookText,
  Presentation,
  Send,
} from 'lucide-react';

interface Kind {
  /** The name of the kind, which determines the color of its icon in `kinds.css`. */
  readonly name: string;
  readonly icon: LucideIcon;
}

interface Typed {
  readonly type: string;
  readonly facets?: readonly string[];
  readonly blob?: { readonly mimeType: string } | null;
}

/** The kinds of documents, by document type. */
const byType: Readonly<Record<string, Kind>> = {
  Picture: { name: 'image', icon: Image },
  Video: { name: 'video', icon: Film },
  Audio: { name: 'audio', icon: AudioLines },
  Collection: { name: 'collection', icon: Layers },
  Favorites: { name: 'collection', icon: Layers },
  Workspace: { name: 'folder', icon: Boxes },
  Domain: { name: 'folder', icon: Globe },
  Section: { name: 'folder', icon: Send },
};

/** The kinds of files, by media type. The first match applies. */
const byMediaType: ReadonlyArray<readonly [types: RegExp, kind: Kind]> = [
  [/^application\/pdf$/, { name: 'pdf', icon: FileText }],
  [/spreadsheet|ms-excel|^text\/(csv|tab-separated-values)$/, { name: 'sheet', icon: FileSpreadsheet }],
  [/presentation|powerpoint|keynote/, { name: 'slides', icon: Presentation }],
  [/wordprocessing|msword|opendocument\.text|\/rtf$|epub/, { name: 'text', icon: FileText }],
  [/^image\//, { name: 'image', icon: Image }],
  [/^audio\//, { name: 'audio', icon: AudioLines }],
  [/^video\//, { name: 'video', icon: Film }],
  [/zip|[/-](tar|x-7z|x-rar|x-xz|zstd|rar)|compressed$/, { name: 'archive', icon: Archive }],
  [/^message\/|ms-outlook|mbox/, { name: 'mail', icon: Mail }],
  [/json|xml|javascript|css|html|yaml|typescript|x-sh|sql/, { name: 'code', icon: FileCode }],
];

const folder: Kind = { name: 'folder', icon: Folder };
const note: Kind = { name: 'note', icon: NotebookText };
const other: Kind = { name: 'file', icon: File };

/**
 * Returns the kind of a document, which determines its icon. The kind depends on the document's type or, failing that,
 * on the media type of its file.
 */
export function kindOf({ type, facets = [], blob }: Typed): Kind {
  if (byType[type]) return byType[type];
  if (facets.includes('Folderish')) return folder;
  if (type === 'Note') return note;
  return byMediaType.find(([types]) => blob && types.test(blob.mimeType))?.[1] ?? other;
}

/** Whether the server has a picture of a document's content, instead of an icon for its kind. */
export const hasPicture = (document: Typed): boolean => ['image', 'pdf'].includes(kindOf(document).name);
