import type { TestServer } from '../../support/server.ts';

/** An ACE in GraphQL. */
export interface ShownAce {
  readonly id: string;
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
  readonly creator: string | null;
  readonly externalUser: boolean;
  readonly begin: string | null;
  readonly end: string | null;
  readonly status: string;
  readonly notify: boolean;
  readonly comment: string | null;
}

const shown = `uid acls { name aces {
  id username permission granted creator externalUser begin end status notify comment
} }`;

/** The outcome of a mutation: the ids of the ACEs by ACL, or the error. */
export interface Outcome {
  readonly ids: Record<string, string[]>;
  readonly aces: Record<string, ShownAce[]>;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Calls a mutation on the ACLs of a document, or the field of an operation; `args` as GraphQL spells them. */
export async function mutate(
  request: TestServer['request'],
  mutation: string,
  path: string,
  args = '',
): Promise<Outcome> {
  const query = mutation.startsWith('document')
    ? `mutation ($path: ID!) { answer: ${mutation}(input: {document: $path} ${args}) { document { ${shown} } } }`
    : `mutation ($path: String!) { answer: ${mutation}(path: $path ${args}) { ${shown} } }`;
  const { body } = await request.post('/graphql').send({ query, variables: { path } });
  if (body.errors) {
    const [{ message, extensions }] = body.errors;
    return { ids: {}, aces: {}, error: { code: extensions?.code, message } };
  }
  const { acls }: { acls: Array<{ name: string; aces: ShownAce[] }> } =
    body.data.answer.document ?? body.data.answer;
  return {
    aces: Object.fromEntries(acls.map(({ name, aces }) => [name, aces])),
    ids: Object.fromEntries(acls.map(({ name, aces }) => [name, aces.map(({ id }) => id)])),
  };
}
