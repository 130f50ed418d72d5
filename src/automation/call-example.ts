/** The request body `{input, params, context}` of an example call, and the files sent with it. */
interface ExampleCall {
  readonly input?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly context?: Readonly<Record<string, unknown>>;
  /** The contents of the files, by file name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A call that prepares an example. It calls an operation by its id or a route by its name. */
type ExampleStep = (
  | (ExampleCall & { readonly call: string })
  | { readonly route: string; readonly body: unknown }
) & {
  /**
   * Gives names to values in the response: `{ letter: 'uid' }` gives the name `letter` to the value at the path `uid`.
   * The path `0.id` is the id of the first item.
   */
  readonly gives?: Readonly<Record<string, string>>;
};

/**
 * An example of a call in openapi.json. It succeeds on a newly installed server with the documents of
 * `src/openapi/examples/places.ts`. Its strings can contain `{letter}`, which is replaced with the value that an
 * earlier call named `letter`.
 */
export type CallExample =
  | (ExampleCall & { readonly before?: readonly ExampleStep[] })
  /** The reason why no single call can succeed on a newly installed server. */
  | { readonly none: string };

/** Creates a document that no other example uses. */
export const newLetter: ExampleStep = {
  call: 'Document.Create',
  input: '/default-domain/workspaces',
  params: { type: 'File', name: 'letter', properties: { 'dc:title': 'A letter' } },
  gives: { letter: 'uid' },
};

/** Creates an empty collection, which later calls refer to as `{collection}`. */
export const newCollection: ExampleStep = {
  call: 'Collection.Create',
  input: '/default-domain/workspaces',
  params: { name: 'Reading' },
  gives: { collection: 'uid' },
};

/** Creates a collection whose only member is `{letter}`. */
export const letterInCollection: readonly ExampleStep[] = [
  newLetter,
  newCollection,
  { call: 'Document.AddToCollection', input: '{letter}', params: { collection: '{collection}' } },
];

/** Publishes a new document; later calls refer to the proxy as `{proxy}`. */
export const publishedLetter: readonly ExampleStep[] = [
  newLetter,
  {
    call: 'Document.PublishToSection',
    input: '{letter}',
    params: { target: '/default-domain/sections/news' },
    gives: { proxy: 'uid' },
  },
];

export const letterWithFile: readonly ExampleStep[] = [
  newLetter,
  {
    call: 'Document.SetBlob',
    input: '{letter}',
    params: { file: { name: 'notes.txt', content: 'Some notes.' } },
  },
];

export const grantedLetter: readonly ExampleStep[] = [
  newLetter,
  { call: 'Document.AddPermission', input: '{letter}', params: { users: ['ina'], permission: 'Read' } },
];

export const letterWithVersion: readonly ExampleStep[] = [
  newLetter,
  { call: 'Document.CreateVersion', input: '{letter}', params: { increment: 'Minor' } },
];

/** Starts a review of a new document; later calls refer to it as `{workflow}`, and to its task as `{task}`. */
export const reviewOfLetter: readonly ExampleStep[] = [
  newLetter,
  {
    route: 'startWorkflow',
    body: {
      'entity-type': 'workflow',
      workflowModelName: 'SerialDocumentReview',
      attachedDocumentIds: ['{letter}'],
    },
    gives: { workflow: 'id' },
  },
  { call: 'Workflow.GetOpenTasks', input: '{letter}', gives: { task: '0.id' } },
];

export const emptyPdf = [
  '%PDF-1.4',
  '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
  '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
  '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >> endobj',
  'trailer << /Root 1 0 R /Size 4 >>',
  '%%EOF\n',
].join('\n');
