declare module 'virtual:docs-contents' {
  /** All pages of the documentation, in the order of the table of contents. */
  export const contents: ReadonlyArray<{
    readonly name: string;
    readonly title: string;
    /** The heading in the table of contents; empty for the start page. */
    readonly group: string;
    readonly sections: ReadonlyArray<{ readonly title: string; readonly anchor: string }>;
  }>;
}

declare module 'virtual:docs-documents' {
  /** Functions that load the HTML of a page, by page name. */
  export const documents: Readonly<Record<string, () => Promise<string>>>;
}

declare module 'virtual:docs-index' {
  /** The search index that the build creates, as JSON. */
  export const indexText: string;
}
