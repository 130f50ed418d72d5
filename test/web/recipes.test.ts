import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useServer } from '../support/server.ts';

const text = readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8');

interface Step {
  readonly command: string;
  /** The answer that the page shows; for JSON, only some of its fields. */
  readonly answer: { readonly kind: string; readonly content: string } | undefined;
}

const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = '', content = '']) => ({
  kind,
  content,
}));

/** The first block of the page defines `api`. All others are commands, which the answers may follow. */
const [definition, ...others] = blocks;
const steps = others.flatMap(({ kind, content }, index): Step[] => {
  const next = others[index + 1];
  return kind === 'sh' ? [{ command: content, answer: next?.kind === 'sh' ? undefined : next }] : [];
});

/** The values of the placeholders in capital letters, by their names. */
const values = new Map<string, string>();

const isName = (value: unknown): value is string => typeof value === 'string' && /^[A-Z_]+_ID$/.test(value);

/** Replaces placeholders by their values. A placeholder without a value gets its value from the answer. */
function expected(shown: unknown, answer: unknown): unknown {
  if (isName(shown)) {
    if (!values.has(shown)) values.set(shown, String(answer));
    return values.get(shown);
  }
  if (Array.isArray(shown)) return shown.map((each, index) => expected(each, (answer as unknown[])?.[index]));
  if (typeof shown !== 'object' || shown === null) return shown;
  const fields = Object(answer) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(shown).map(([key, each]) => [key, expected(each, fields[key])]));
}

const server = useServer();
let port: number;
beforeAll(async () => {
  port = await server.listen();
  await writeFile(join(server.dataDir, 'contract.txt'), 'The text of the contract.');
  await writeFile(join(server.dataDir, 'annex.txt'), 'Prices.');
});

async function run(command: string): Promise<string> {
  const filled = `${definition?.content ?? ''}\n${command}`
    .replaceAll('http://localhost:8080', `http://127.0.0.1:${port}`)
    .replaceAll(/\b[A-Z_]+_ID\b/g, (name) => encodeURIComponent(values.get(name) ?? name));
  const { stdout } = await promisify(execFile)('bash', ['-c', filled], { cwd: server.dataDir });
  return stdout;
}

describe('the commands of docs/recipes.md', () => {
  test('are all found by this test', () => {
    expect(steps).toHaveLength(blocks.filter(({ kind }) => kind === 'sh').length - 1);
    expect(steps.length).toBeGreaterThan(20);
  });

  // The commands run in the order of the page, because later ones need the results of earlier ones.
  test.each(steps)('$command', async ({ command, answer }) => {
    const printed = await run(command);
    if (answer === undefined) return expect(printed).toBe('');
    if (answer.kind !== 'json') return expect(printed.trim()).toBe(answer.content.trim());
    const body = JSON.parse(printed);
    expect(body).toMatchObject(expected(JSON.parse(answer.content), body) as object);
  });
});
