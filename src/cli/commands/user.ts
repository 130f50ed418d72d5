import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readIdentityFile } from '../../auth/identity-file.ts';
import { readConfig } from '../../config.ts';
import { AppError, Invalid } from '../../errors.ts';
import { openDirectories } from '../../ldap/directory.ts';
import { allUsers } from '../../loaders/authorities/all-users.ts';
import type { AuthorityScope } from '../../scope.ts';
import { serverScope } from '../../store/authorities/server-scope.ts';
import { type SyncReport, syncDirectory } from '../../store/authorities/sync-directory.ts';
import { createUser, deleteUser, directGroupsOf, updateUser } from '../../store/authorities/users.ts';
import { removeSecondFactor } from '../../store/tokens/second-factor.ts';
import { exitCode } from '../exit-codes.ts';
import { type CommandInput, type Output, runs } from '../run-command.ts';
import { type CommandServices, openCommandServices, withDatabase } from '../services.ts';
import type { QuireCommand, Surroundings } from '../surroundings.ts';

/** Prompts for a password without echoing the input. */
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

/** Reads a password from the terminal, or from the first line of standard input. @throws Invalid if it is empty */
async function readPassword(surroundings: Surroundings): Promise<string> {
  const { stdin } = surroundings;
  const password = stdin.isTTY ? await ask(surroundings) : (await text(stdin)).split(/\r?\n/, 1)[0];
  if (!password)
    throw new Invalid('The password is missing. Type it, or pass it as the first line of standard input.');
  return password;
}

const nameOf = ([user = '']: readonly string[]): string => user;

/**
 * Opens the database. Changes are made as ADMIN_USERNAME, with the same checks and log entries as changes through REST.
 */
function opened<T>(
  surroundings: Surroundings,
  work: (
    change: <R>(write: (scope: AuthorityScope) => Promise<R>) => Promise<R>,
    services: CommandServices,
  ) => Promise<T>,
): Promise<T> {
  const config = readConfig(surroundings.env);
  return withDatabase(config, surroundings, async (database) => {
    const services = await openCommandServices(config, database);
    const change = <R>(write: (scope: AuthorityScope) => Promise<R>): Promise<R> =>
      database.transaction(config.TRANSACTION_TIMEOUT, (db) => write(serverScope(services, db)));
    return work(change, services);
  });
}

async function list({ result }: Output, { surroundings }: CommandInput<object>): Promise<number> {
  await opened(surroundings, async (_change, { database }) => {
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
  { args, options, surroundings }: CommandInput<CreateOptions>,
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
  result(`${user} has been created${without}.`, { user, groups, hasPassword: password === true });
  return exitCode.done;
}

interface PasswordOptions {
  readonly none: boolean;
}

async function setPassword(
  { result }: Output,
  { args, options: { none }, surroundings }: CommandInput<PasswordOptions>,
): Promise<number> {
  const user = nameOf(args);
  const password = none ? null : await readPassword(surroundings);
  await opened(surroundings, (change) =>
    change((scope) => updateUser(scope, user, { properties: { password } })),
  );
  const text = none ? 'no longer has a password' : 'has a new password';
  result(`${user} ${text}. All other credentials have been revoked.`, { user, hasPassword: !none });
  return exitCode.done;
}

interface GroupsOptions {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

async function changeGroups(
  { result }: Output,
  { args, options: { add = [], remove = [] }, surroundings }: CommandInput<GroupsOptions>,
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
  result(groups.length > 0 ? groups.join('\n') : `${user} is not in any group.`, { user, groups });
  return exitCode.done;
}

async function withoutSecondFactor(
  { result }: Output,
  { args, surroundings }: CommandInput<object>,
): Promise<number> {
  const user = nameOf(args);
  await opened(surroundings, (change) => change((scope) => removeSecondFactor(scope, user)));
  result(`${user} no longer has a second factor.`, { user });
  return exitCode.done;
}

async function remove({ result }: Output, { args, surroundings }: CommandInput<object>): Promise<number> {
  const user = nameOf(args);
  await opened(surroundings, (change) => change((scope) => deleteUser(scope, user)));
  result(`${user} has been deleted.`, { user });
  return exitCode.done;
}

interface SyncOptions {
  readonly anyNumber: boolean;
  readonly dryRun: boolean;
}

function reportText(label: string, { found, refused, ...changes }: SyncReport): string {
  const lines = Object.entries(changes)
    .filter(([, users]) => users.length > 0)
    .map(([what, users]) => `  ${what}: ${users.join(', ')}`);
  const faults = Object.entries(refused).map(([subject, fault]) => `  refused: ${subject}: ${fault}`);
  return [`${label}: ${found} users`, ...lines, ...faults].join('\n');
}

async function sync(
  { result, warn }: Output,
  { options: { anyNumber, dryRun }, surroundings }: CommandInput<SyncOptions>,
): Promise<number> {
  return opened(surroundings, async (_change, services) => {
    const directories = openDirectories(await readIdentityFile(services.config, services.model));
    if (directories.length === 0)
      throw new Invalid('IDENTITY_FILE does not contain a provider of the kind "ldap".');
    let code: number = exitCode.done;
    for (const directory of directories) {
      const { name, label } = directory.provider;
      try {
        const report = await syncDirectory(services, directory, { isAnyNumber: anyNumber, isTrial: dryRun });
        result(reportText(label, report), { directory: name, ...report });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        warn(error.message);
        code = exitCode.failed;
      }
    }
    return code;
  });
}

export function userCommand(command: QuireCommand): void {
  runs(
    command.command('list').description('Lists all users, with their email addresses and direct groups.'),
    list,
  );
  runs<CreateOptions>(
    command
      .command('create')
      .description('Creates a user.')
      .argument('<user>', 'the user name')
      .option('--first-name <text>')
      .option('--last-name <text>')
      .option('--email <address>')
      .option('--company <text>')
      .option('--groups <group...>', 'the groups of the user')
      .option('--password', 'prompt for a password, or read it from standard input'),
    create,
  );
  runs<PasswordOptions>(
    command
      .command('password')
      .description('Sets the password of a user, from the terminal or standard input.')
      .argument('<user>', 'the user name')
      .option('--none', 'remove the password instead', false),
    setPassword,
  );
  runs<GroupsOptions>(
    command
      .command('groups')
      .description('Changes the direct groups of a user, and prints them.')
      .argument('<user>', 'the user name')
      .option('--add <group...>')
      .option('--remove <group...>'),
    changeGroups,
  );
  runs(
    command
      .command('remove-second-factor')
      .description(
        "Removes the second factor of a user who has lost it, and ends all of the user's sessions.",
      )
      .argument('<user>', 'the user name'),
    withoutSecondFactor,
  );
  runs<SyncOptions>(
    command
      .command('sync')
      .description(
        'Compares the users of the directories in IDENTITY_FILE with those here, and disables who is gone.',
      )
      .option('--any-number', 'disable users even if they are more than 10 % of a directory', false)
      .option('--dry-run', 'change nothing, and print what would change', false),
    sync,
  );
  runs(
    command
      .command('delete')
      .description("Deletes a user and all of the user's memberships and credentials.")
      .argument('<user>', 'the user name'),
    remove,
  );
  command.addHelpText(
    'after',
    '\nChanges are made as ADMIN_USERNAME. The settings are those of the server, which can run at the same time.',
  );
}
