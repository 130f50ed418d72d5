interface Parent {
  readonly permissions: readonly string[];
  /** The types of documents that users can create in the folder. */
  readonly subtypes: ReadonlyArray<{ readonly type: string }>;
}

/** The document types that are created from uploaded files. */
const fileTypes = new Set(['File', 'Note', 'Picture', 'Video', 'Audio']);

/**
 * Whether the user can upload files into a folder. Some folders, such as domains, can contain only other folders.
 */
export const mayUpload = ({ permissions, subtypes }: Parent): boolean =>
  permissions.includes('AddChildren') && subtypes.some(({ type }) => fileTypes.has(type));
