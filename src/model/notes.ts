/** The maximum size of a text that becomes a Note. */
export const maxNoteBytes = 1_048_576;

/** The media types of Markdown: that of RFC 7763, and the one that clients of the reference implementation use. */
export type MarkdownType = 'text/markdown' | 'text/x-web-markdown';

/** The media types of the files that become notes, so that clients can edit their text. */
const noteTypes: ReadonlySet<string> = new Set([
  'text/plain',
  'text/html',
  'application/xhtml+xml',
  'text/markdown',
  'text/x-web-markdown',
]);

export const isNoteType = (mimeType: string): boolean => noteTypes.has(mimeType);

/** The document types of other files, by the top-level media type. All others become a `File`. */
const types = { image: 'Picture', video: 'Video', audio: 'Audio' } as const;

export type FileDocumentType = 'Note' | 'File' | (typeof types)[keyof typeof types];

/** The type and properties of a note. @param markdown the media type to store for Markdown. */
export const noteOf = (text: string, mimeType: string, markdown: MarkdownType) => ({
  type: 'Note' as const,
  properties: {
    'note:note': text,
    'note:mime_type': mimeType.endsWith('markdown') ? markdown : mimeType,
  },
});

/** The document type for a file that does not become a note. */
export const fileDocumentType = (mimeType: string): FileDocumentType => {
  const kind = mimeType.slice(0, mimeType.indexOf('/'));
  return Object.hasOwn(types, kind) ? types[kind as keyof typeof types] : 'File';
};
