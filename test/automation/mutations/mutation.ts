import type { Permission } from '../../../src/security/permissions.ts';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import type { TestServer } from '../../support/server.ts';
import { type Call, call } from '../calls.ts';

/** Documents by the names that a case has for them. */
export type Places = Readonly<Record<string, DocumentEntity>>;

/** What an operation is given. */
export type Given = Call;

/** What somebody may do, and where. */
type Rights = Readonly<Record<string, readonly Permission[]>>;

/** All that is claimed of an operation that writes: `mutations.test.ts` tries every word of it. */
export interface Mutation {
  /** Makes what it works on, anew for each try. */
  readonly make: (server: TestServer) => Promise<Places>;
  readonly given: (places: Places) => Given;
  /** What it answers, as far as it is worth saying; null is 204. */
  readonly answers: (places: Places) => Record<string, unknown> | readonly unknown[] | null;
  /**
   * What a user must be allowed to do, and where: with all of it he may, without any one of it he may not. Where
   * nothing is needed, credentials are.
   */
  readonly needs: Rights;
  /** The group that he must be in; nobody else is even told of what is there for administrators. */
  readonly who?: 'administrators' | 'powerusers';
  /** What he must be allowed besides for that to be asked for: whatever he does not see is left alone. */
  readonly sees?: Rights;
  /** What it does not take, and how it says so. */
  readonly refuses: ReadonlyArray<{
    readonly given: (places: Places) => Given;
    readonly status: number;
    readonly message: RegExp;
  }>;
  /** The events that it leaves in the audit, each with the document that it is about, if it is about one. */
  readonly records: ReadonlyArray<readonly [eventId: string, about: string]>;
  /** Whether it leaves a trace whatever its documents are: it makes something that has one, or is about the trace. */
  readonly isNeverQuiet?: true;
}

/** A document in a folder. */
export const documentInFolder = async (server: TestServer): Promise<Places> => {
  const parent = await createDocument(server, { type: 'Folder' });
  return { parent, document: await createDocument(server, { parent: parent.path }) };
};

export const onDocument = ({ document }: Places): Given => ({ input: document?.uid });

/** The same document with parameters. */
export const onDocumentWith = (params: Record<string, unknown>) => (places: Places) => ({
  ...onDocument(places),
  params,
});

export const sameDocument = ({ document }: Places) => ({ 'entity-type': 'document', uid: document?.uid });

/** What most have in common: they work on a document and answer it. */
export const usual = { make: documentInFolder, given: onDocument, answers: sameDocument } as const;

/** Has an operation done to a document; answers what that is then. */
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

/** A document in a folder, to which an operation has been done. */
export const documentAfter =
  (operation: string, params?: Record<string, unknown>) =>
  async (server: TestServer): Promise<Places> => {
    const places = await documentInFolder(server);
    return { ...places, document: await by(server, operation, places.document, params) };
  };
