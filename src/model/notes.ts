/** Limit of the texts that become a Note. */
export const maxNoteBytes = 1_048_576;

/** The media types of Markdown: RFC 7763, and the one that clients of the reference implementation know. */
export type MarkdownType = 'text/markdown' | 'text/x-web-markdown';

/** Media types of files that become notes, whose text clients edit. */
const noteTypes: ReadonlySet<string> = new Set([
  'text/plain',
  'text/html',
  'application/xhtml+xml',
  'text/markdown',
  'text/x-web-markdown',
]);

export const isNoteType = (mimeType: string): boolean => noteTypes.has(mimeType);

/** Document types by the first part of the media type; `File` for others. */
const types = { image: 'Picture', video: 'Video', audio: 'Audio' } as const;

export type FileDocumentType = 'Note' | 'File' | (typeof types)[keyof typeof types];

/** A document that is made of a text. @param markdown the media type that notes in Markdown get */
export const noteOf = (text: string, mimeType: string, markdown: MarkdownType) => ({
  type: 'Note' as const,
  properties: {
    'note:note': text,
    'note:mime_type': mimeType.endsWith('markdown') ? markdown : mimeType,
  },
});

/** The document type that a file becomes when its text is not that of a note. */
export const fileDocumentType = (mimeType: string): FileDocumentType => {
  const kind = mimeType.slice(0, mimeType.indexOf('/'));
  return Object.hasOwn(types, kind) ? types[kind as keyof typeof types] : 'File';
};
