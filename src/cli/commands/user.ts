import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { openBlobStore } from '../../blobs/open-blob-store.ts';
import { readConfig } from '../../config.ts';
import type { Client, Database } from '../../db/database.ts';
import { Invalid } from '../../errors.ts';
import { allUsers } from '../../loaders/authorities/all-users.ts';
import type { AuthorityScope } from '../../scope.ts';
import { createSecrets, tokenKeyOf } from '../../secrets.ts';
import { administrator } from '../../security/principal.ts';
import { createUser, deleteUser, directGroupsOf, updateUser } from '../../store/authorities/users.ts';
import { exitCode } from '../exit-codes.ts';
import { openExpected } from '../open-expected.ts';
import { prepareDatabase } from '../prepare-database.ts';
import { type Given, type Output, runs } from '../run-command.ts';
import type { QuireCommand, Surroundings } from '../surroundings.ts';

/** Asks for a password, without showing it. */
async function ask({ stdin, stderr }: Surroundings): Promise<string> {
  stderr.write('Password: ');
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: stdin, output, terminal: true });
  try {
    return await asking.question('');
  } finally {
    asking.close();
    stderr.write('\n');
  }
}

/** From the terminal, else the first line of the standard input. @throws Invalid when it is empty */
async function readPassword(surroundings: Surroundings): Promise<string> {
  const { stdin } = surroundings;
  const given = stdin.isTTY ? await ask(surroundings) : (await text(stdin)).split(/\r?\n/, 1)[0];
  if (!given) throw new Invalid('no password is given: it is the first line of the standard input');
  return given;
}

const nameOf = ([user = '']: readonly string[]): string => user;

/** Opens the database for work that acts as ADMIN_USERNAME, with the rules and log entries of REST. */
async function opened<T>(
  surroundings: Surroundings,
  work: (
    change: <R>(write: (scope: AuthorityScope) => Promise<R>) => Promise<R>,
    database: Database,
  ) => Promise<T>,
): Promise<T> {
  const config = readConfig(surroundings.env);
  const { database } = await openExpected(config, surroundings);
  try {
    const model = await prepareDatabase(database, config);
    const [blobs, tokenKey] = [
      await openBlobStore(config),
      await tokenKeyOf(config.TOKEN_KEY, config.DATA_DIR),
    ];
    const scopeOf = (db: Client): AuthorityScope => ({
      db,
      services: {
        model,
        blobs,
        secrets: createSecrets(tokenKey, config.JWT_SECRET),
        config,
      },
      user: administrator(config.ADMIN_USERNAME),
      usedUploads: new Set(),
      options: {
        repository: config.REPOSITORIES[0],
        language: 'en',
        comment: undefined,
        links: { readBlob: () => undefined },
      },
    });
    const change = <R>(write: (scope: AuthorityScope) => Promise<R>): Promise<R> =>
      database.transaction(config.TRANSACTION_TIMEOUT, (db) => write(scopeOf(db)));
    return await work(change, database);
  } finally {
    await database.close();
  }
}

async function list({ result }: Output, { surroundings }: Given<object>): Promise<number> {
  await opened(surroundings, async (_change, database) => {
    for await (const users of allUsers(database))
      for (const { id, properties, hasPassword, groups } of users)
        result([id, properties.email ?? '', groups.join(',')].join('\t'), {
          user: id,
          hasPassword,
          groups,
          properties,
        });
  });
  return exitCode.done;
}

interface CreateOptions {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly company?: string;
  readonly groups?: readonly string[];
  readonly password?: true;
}

async function create(
  { result }: Output,
  { args, options, surroundings }: Given<CreateOptions>,
): Promise<number> {
  const user = nameOf(args);
  const { groups = [], password, ...fields } = options;
  const properties = {
    username: user,
    ...Object.fromEntries(
      (['firstName', 'lastName', 'email', 'company'] as const)
        .filter((name) => fields[name] !== undefined)
        .map((name) => [name, fields[name]]),
    ),
    groups,
    ...(password && { password: await readPassword(surroundings) }),
  };
  await opened(surroundings, (change) => change((scope) => createUser(scope, { properties })));
  const without = password ? '' : ', without a password';
  result(`${user} is created${without}.`, { user, groups, hasPassword: password === true });
  return exitCode.done;
}

interface PasswordOptions {
  readonly none: boolean;
}

async function setPassword(
  { result }: Output,
  { args, options: { none }, surroundings }: Given<PasswordOptions>,
): Promise<number> {
  const user = nameOf(args);
  const password = none ? null : await readPassword(surroundings);
  await opened(surroundings, (change) =>
    change((scope) => updateUser(scope, user, { properties: { password } })),
  );
  const text = none ? 'has no password any more' : 'has the new password';
  result(`${user} ${text}; all other credentials are ended.`, { user, hasPassword: !none });
  return exitCode.done;
}

interface GroupsOptions {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

async function changeGroups(
  { result }: Output,
  { args, options: { add = [], remove = [] }, surroundings }: Given<GroupsOptions>,
): Promise<number> {
  const user = nameOf(args);
  const groups = await opened(surroundings, (change) =>
    change(async (scope) => {
      const before = await directGroupsOf(scope, user);
      const after = [...new Set([...before, ...add])].filter((group) => !remove.includes(group));
      if (add.length + remove.length > 0) await updateUser(scope, user, { properties: { groups: after } });
      return after.sort();
    }),
  );
  result(groups.length > 0 ? groups.join('\n') : `${user} is in no group.`, { user, groups });
  return exitCode.done;
}

async function remove({ result }: Output, { args, surroundings }: Given<object>): Promise<number> {
  const user = nameOf(args);
  await opened(surroundings, (change) => change((scope) => deleteUser(scope, user)));
  result(`${user} is deleted.`, { user });
  return exitCode.done;
}

export function userCommand(command: QuireCommand): void {
  runs(command.command('list').description('Lists all users, with their e-mail and direct groups.'), list);
  runs<CreateOptions>(
    command
      .command('create')
      .description('Creates a user.')
      .argument('<user>', 'the user name')
      .option('--first-name <text>')
      .option('--last-name <text>')
      .option('--email <address>')
      .option('--company <text>')
      .option('--groups <group...>', 'groups that the user is in')
      .option('--password', 'asks for a password, or reads it from the standard input'),
    create,
  );
  runs<PasswordOptions>(
    command
      .command('password')
      .description('Sets the password of a user, from the terminal or the standard input.')
      .argument('<user>', 'the user name')
      .option('--none', 'takes the password away instead', false),
    setPassword,
  );
  runs<GroupsOptions>(
    command
      .command('groups')
      .description('Prints the groups that a user is in directly, after changing them.')
      .argument('<user>', 'the user name')
      .option('--add <group...>')
      .option('--remove <group...>'),
    changeGroups,
  );
  runs(
    command
      .command('delete')
      .description('Deletes a user, with all memberships and credentials.')
      .argument('<user>', 'the user name'),
    remove,
  );
  command.addHelpText(
    'after',
    '\nThey act as ADMIN_USERNAME, with the settings of the server, which may run meanwhile.',
  );
}
