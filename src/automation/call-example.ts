/** A call, as `{input, params, context}` and the files that come with it. */
interface ExampleCall {
  readonly input?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly context?: Readonly<Record<string, unknown>>;
  /** What they hold, by their names. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A call, of an operation by its id or of a route by its name, that makes what an example needs. */
type ExampleStep = (
  | (ExampleCall & { readonly call: string })
  | { readonly route: string; readonly body: unknown }
) & {
  /** Names for values of its answer, such as `{ letter: 'uid' }`; `0.id` is that of the first item. */
  readonly gives?: Readonly<Record<string, string>>;
};

/**
 * A call that openapi.json shows. It succeeds on a new server with the documents of
 * `src/openapi/examples/places.ts`. `{letter}` in its texts is what an earlier call gave by that name.
 */
export type CallExample =
  | (ExampleCall & { readonly before?: readonly ExampleStep[] })
  /** Why no call alone succeeds on a new server. */
  | { readonly none: string };

/** Makes a document that no other example is about. */
export const newLetter: ExampleStep = {
  call: 'Document.Create',
  input: '/default-domain/workspaces',
  params: { type: 'File', name: 'letter', properties: { 'dc:title': 'A letter' } },
  gives: { letter: 'uid' },
};

/** Makes a collection that has nothing: `{collection}`. */
export const newCollection: ExampleStep = {
  call: 'Collection.Create',
  input: '/default-domain/workspaces',
  params: { name: 'Reading' },
  gives: { collection: 'uid' },
};

/** Makes `{letter}` the one member of `{collection}`. */
export const letterInCollection: readonly ExampleStep[] = [
  newLetter,
  newCollection,
  { call: 'Document.AddToCollection', input: '{letter}', params: { collection: '{collection}' } },
];

/** Publishes a new document: `{proxy}`. */
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

/** Begins a review of a new document; it is `{workflow}`, its task `{task}`. */
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
