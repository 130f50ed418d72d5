declare module 'virtual:docs-contents' {
  /** All pages of the documentation, in the order of the contents. */
  export const contents: ReadonlyArray<{ readonly name: string; readonly title: string }>;
}

declare module 'virtual:docs-documents' {
  /** Functions that load the HTML of a page, by its name. */
  export const documents: Readonly<Record<string, () => Promise<string>>>;
}

declare module 'virtual:docs-index' {
  /** The search index that the build made, as JSON. */
  export const indexText: string;
}
