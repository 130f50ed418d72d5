import { readFile } from 'node:fs/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { commands } from '../../src/cli/commands/index.ts';
import { run as runProgram } from '../db/processes.ts';

jest.setTimeout(60_000);

async function quire(...args: string[]) {
  const { ended, printed } = runProgram('src/cli/quire.ts', {}, args);
  const { code } = await ended;
  return { ...printed, code };
}

describe('quire', () => {
  test('lists its commands, and explains each', async () => {
    const listed = await quire('--help');
    expect(listed).toMatchObject({ code: 0, err: '' });
    for (const { name } of commands) expect(listed.out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(await quire('help', 'token')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: quire token .*<user>/),
    });
  });

  test.each([
    ['no command', []],
    ['a command that there is not', ['bogus']],
    ['an option that there is not', ['migrate', '--bogus']],
  ])('exits with 2 for %s, and says why', async (_, args) => {
    const { code, out, err } = await quire(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/Usage: quire|error: unknown (command 'bogus'|option '--bogus')/);
  });

  test('prints errors as JSON as well with --json', async () => {
    const { code, out, err } = await quire('token', 'ann', '--json');
    const message = 'JWT_SECRET: is not set, and the server takes no JWT without it';
    expect({ code, err }).toEqual({ code: 1, err: `${message}\n` });
    expect(JSON.parse(out)).toEqual({ error: message });
  });

  test('has a line in the documentation for every command', async () => {
    const page = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
    const [list = ''] = page.split('\n## ');
    const documented = [...list.matchAll(/^\| `([a-z]+)` +\|/gm)].map(([, name]) => name);
    expect(documented).toEqual(commands.map(({ name }) => name));
  });

  test('starts without loading what its commands need', async () => {
    const source = await readFile(new URL('../../src/cli/quire.ts', import.meta.url), 'utf8');
    const imported = [...source.matchAll(/^import .* from '(.+)';$/gm)].map(([, from]) => from);
    expect(imported).toEqual(['commander', './commands/index.ts', './exit-codes.ts']);
  });
});
