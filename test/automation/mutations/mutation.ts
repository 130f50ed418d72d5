import type { Permission } from '../../../src/security/permissions.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { type Call, call } from '../../support/requests.ts';
import type { TestServer } from '../../support/server.ts';

/** Documents by their names in one test. */
export type Places = Readonly<Record<string, DocumentEntity>>;

/** The input, the parameters and the context of a call. */
export type Given = Call;

/** Permissions by the name of the document on which they are needed. */
type Rights = Readonly<Record<string, readonly Permission[]>>;

/** What is expected of an operation that writes; `mutations.test.ts` tests each of it. */
export interface Mutation {
  /** Creates the documents of one test. */
  readonly make: (server: TestServer) => Promise<Places>;
  readonly given: (places: Places) => Given;
  /** The expected part of the answer; null for 204. */
  readonly answers: (places: Places) => Record<string, unknown> | readonly unknown[] | null;
  /**
   * The permissions that the operation needs: with all of them it succeeds, without any one of them it is
   * refused. Without any needs it still requires credentials.
   */
  readonly needs: Rights;
  /** The group that the caller must be in. Operations of administrators are 404 for other users. */
  readonly who?: 'administrators' | 'powerusers';
  /** Additional permissions of the caller: the operation skips documents that are invisible without them. */
  readonly sees?: Rights;
  /** Faulty calls, each with the status and the message of the refusal. */
  readonly refuses: ReadonlyArray<{
    readonly given: (places: Places) => Given;
    readonly status: number;
    readonly message: RegExp;
  }>;
  /** The events that it logs, each with the document that it refers to, if there is one. */
  readonly records: ReadonlyArray<readonly [eventId: string, about: string]>;
  /** Whether it logs an event even when its documents are hidden. */
  readonly isNeverQuiet?: true;
}

/** A document in a folder. */
export const documentInFolder = async (server: TestServer): Promise<Places> => {
  const parent = await createDocument(server, { type: 'Folder' });
  return { parent, document: await createDocument(server, { parent: parent.path }) };
};

export const onDocument = ({ document }: Places): Given => ({ input: document?.uid });

/** The document as the input, with parameters. */
export const onDocumentWith = (params: Record<string, unknown>) => (places: Places) => ({
  ...onDocument(places),
  params,
});

export const sameDocument = ({ document }: Places) => ({ 'entity-type': 'document', uid: document?.uid });

/** The usual operation: a document is its input and its answer. */
export const usual = { make: documentInFolder, given: onDocument, answers: sameDocument } as const;

/** Runs an operation on a document; the document afterwards. */
export async function by(
  { request }: TestServer,
  operation: string,
  document: DocumentEntity | undefined,
  params: Record<string, unknown> = {},
): Promise<DocumentEntity> {
  const { status, text, body } = await call(request, operation, { input: document?.uid, params });
  if (status >= 300) throw new Error(`${operation}: ${text}`);
  return body;
}

/** A document in a folder, after an operation on it. */
export const documentAfter =
  (operation: string, params?: Record<string, unknown>) =>
  async (server: TestServer): Promise<Places> => {
    const places = await documentInFolder(server);
    return { ...places, document: await by(server, operation, places.document, params) };
  };
