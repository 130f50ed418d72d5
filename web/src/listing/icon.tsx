import {
  AudioLines,
  Boxes,
  File,
  Film,
  Folder,
  Globe,
  Image,
  Layers,
  type LucideIcon,
  NotebookText,
} from 'lucide-react';

const icons: Readonly<Record<string, LucideIcon>> = {
  Note: NotebookText,
  Picture: Image,
  Video: Film,
  Audio: AudioLines,
  Collection: Layers,
  Favorites: Layers,
  Workspace: Boxes,
  Domain: Globe,
};

interface Typed {
  readonly type: string;
  readonly facets?: readonly string[];
}

/** The icon of a document type: a folder for unknown types with the facet Folderish, a file for all others. */
export function DocumentIcon({ type, facets = [] }: Typed) {
  const Icon = icons[type] ?? (facets.includes('Folderish') ? Folder : File);
  return <Icon size={18} aria-hidden className={facets.includes('Folderish') ? 'icon folder' : 'icon'} />;
}
