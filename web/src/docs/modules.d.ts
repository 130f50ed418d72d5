declare module 'virtual:docs-contents' {
  /** Every document, in the order of the list. */
  export const contents: ReadonlyArray<{ readonly name: string; readonly title: string }>;
}

declare module 'virtual:docs-documents' {
  /** By name: loads the HTML of the document. */
  export const documents: Readonly<Record<string, () => Promise<string>>>;
}

declare module 'virtual:docs-index' {
  /** The index of the search, made by the build. */
  export const indexText: string;
}
