/** @group slow */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { commands } from '../../src/cli/commands/index.ts';
import { newFolder } from '../support/folder.ts';
import { scriptsIn } from '../support/loaded-scripts.ts';
import { quire, quireProcess } from './run-quire.ts';

describe('quire', () => {
  test('lists its commands without loading what they need, and explains each', async () => {
    const coverage = newFolder();
    const listed = await quireProcess(['--help'], { NODE_V8_COVERAGE: coverage });
    expect(listed).toMatchObject({ code: 0, err: '' });
    const ours = (await scriptsIn(coverage)).flatMap((url) => /\/dist\/(.*)\.js$/.exec(url)?.[1] ?? []);
    expect(ours.sort()).toEqual([
      ...['command-line', 'commands/index', 'exit-codes', 'quire', 'surroundings'].map(
        (name) => `cli/${name}`,
      ),
      'db/migration-files',
    ]);
    for (const { name } of commands) expect(listed.out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(await quire(['help', 'token'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: quire token .*<user>/),
    });
  });

  test.each([
    ['a command that there is not', ['bogus']],
    ['an option that there is not', ['migrate', '--bogus']],
  ])('exits with 2 for %s, and says why', async (_, args) => {
    const { code, out, err } = await quire(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/Usage: quire|error: unknown (command 'bogus'|option '--bogus')/);
  });

  test('prints errors as JSON as well with --json', async () => {
    const { code, out, err } = await quire(['token', 'ann', '--json']);
    const message = 'JWT_SECRET is not set. Without it, the server does not accept JWTs.';
    expect({ code, err }).toEqual({ code: 1, err: `${message}\n` });
    expect(JSON.parse(out)).toEqual({ error: message });
  });

  test.each([
    ['an argument that is missing', ['token', '--json'], "missing required argument 'user'"],
    ['an option that there is not', ['migrate', '--json', '--bogus'], "unknown option '--bogus'"],
  ])('prints %s as JSON as well', async (_, args, error) => {
    const { code, out, err } = await quire(args);
    expect({ code, err }).toEqual({ code: 2, err: `error: ${error}\n` });
    expect(JSON.parse(out)).toEqual({ error });
  });

  test('prints its version, which package.json has', async () => {
    const { version } = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(await quire(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test('has a line in the documentation for every command', async () => {
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [list = ''] = (page.split('\n## Commands\n')[1] ?? '').split('\n### ');
    const documented = [...list.matchAll(/^- `([a-z-]+)`: /gm)].map(([, name]) => name);
    expect(documented).toEqual(commands.map(({ name }) => name));
  });
});
