/** The maximum size in bytes of a text file that becomes a Note. */
export const maxNoteBytes = 1_048_576;

/**
 * The media types of Markdown: the one defined by RFC 7763, and the one used by clients of the reference
 * implementation.
 */
export type MarkdownType = 'text/markdown' | 'text/x-web-markdown';

/** The media types of files that become notes, whose text clients can edit. */
const noteTypes: ReadonlySet<string> = new Set([
  'text/plain',
  'text/html',
  'application/xhtml+xml',
  'text/markdown',
  'text/x-web-markdown',
]);

export const isNoteType = (mimeType: string): boolean => noteTypes.has(mimeType);

/**
 * The document types for files that do not become notes, by top-level media type. Files with any other media type
 * become documents of the type `File`.
 */
const types = { image: 'Picture', video: 'Video', audio: 'Audio' } as const;

export type FileDocumentType = 'Note' | 'File' | (typeof types)[keyof typeof types];

/**
 * Returns the type and properties of a note.
 * @param markdown the media type to store for Markdown
 */
export const noteOf = (text: string, mimeType: string, markdown: MarkdownType) => ({
  type: 'Note' as const,
  properties: {
    'note:note': text,
    'note:mime_type': mimeType.endsWith('markdown') ? markdown : mimeType,
  },
});

/** Returns the document type for a file that does not become a note. */
export const fileDocumentType = (mimeType: string): FileDocumentType => {
  const kind = mimeType.slice(0, mimeType.indexOf('/'));
  return Object.hasOwn(types, kind) ? types[kind as keyof typeof types] : 'File';
};
