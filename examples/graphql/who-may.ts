/**
 * For the first hundred documents of a folder: may a user write them, and which entry of which document's ACL decides that?
 * One request, where REST would take several for each document. GraphQL is for administrators.
 *
 *   npx tsx examples/graphql/who-may.ts /default-domain/workspaces Administrator
 */
const {
  QUIRE_URL = 'http://localhost:8080',
  QUIRE_USER = 'Administrator',
  QUIRE_PASSWORD = 'Administrator',
} = process.env;
const [path = '/default-domain/workspaces', user = QUIRE_USER] = process.argv.slice(2);

/** GraphiQL, at QUIRE_URL/graphql in a browser, shows what else there is to ask for. */
const query = `query ($path: String!, $user: ID!) {
  document(path: $path) {
    title
    children(pageSize: 100) {
      entries {
        path
        decidedPermissions(user: $user) { permission granted reason ace { username permission } place { path } }
      }
    }
  }
}`;

interface Decided {
  readonly permission: string;
  readonly granted: boolean;
  readonly reason: string;
  readonly ace: { readonly username: string; readonly permission: string } | null;
  readonly place: { readonly path: string } | null;
}

interface Answer {
  readonly data?: {
    readonly document: {
      readonly children: {
        readonly entries: ReadonlyArray<{
          readonly path: string;
          readonly decidedPermissions: readonly Decided[];
        }>;
      };
    };
  };
  readonly errors?: ReadonlyArray<{ readonly message: string }>;
  /** Of a request that was refused before, such as one without good credentials. */
  readonly message?: string;
}

const response = await fetch(`${QUIRE_URL}/graphql`, {
  method: 'POST',
  headers: {
    Authorization: `Basic ${Buffer.from(`${QUIRE_USER}:${QUIRE_PASSWORD}`).toString('base64')}`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ query, variables: { path, user } }),
});
const { data, errors, message: refusal } = (await response.json()) as Answer;
if (!data) throw new Error(errors?.map(({ message }) => message).join('; ') ?? refusal);

for (const child of data.document.children.entries) {
  const write = child.decidedPermissions.find(({ permission }) => permission === 'WriteProperties');
  const may = write?.granted ? 'may write' : 'may not write';
  const why = write?.ace
    ? `"${write.ace.username}: ${write.ace.permission}" on ${write.place?.path ?? 'a document out of reach'}`
    : write?.reason;
  console.log(`${child.path}: ${user} ${may}, by ${why}`);
}
