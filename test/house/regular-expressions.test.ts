/** @group slow */

import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { read, root, sourceFiles } from './tree.ts';

/**
 * Judges expressions from its input, in a process of its own: in Jest it would take minutes. A program that
 * npm installs for most machines does so in a fifth of the time; the first call starts it.
 */
const judge = `
  const { check } = require('recheck');
  const limits = { timeout: null, incubationTimeout: null, attackTimeout: null }; // steps count, not seconds
  const given = JSON.parse(require('node:fs').readFileSync(0));
  const judge = () => Promise.all(given.map(({ source, flags }) => check(source, flags, limits)));
  check('a', '', limits).then(judge).then((answers) => console.log(JSON.stringify(
    answers.map(({ status, complexity }) => (status === 'safe' ? complexity.type : (complexity?.summary ?? status)))
  )));`;

function judgmentsOf(expressions: readonly Expression[]): string[] {
  const answer = execFileSync(process.execPath, ['-e', judge], {
    cwd: root,
    input: JSON.stringify(expressions),
  });
  return JSON.parse(answer.toString()) as string[];
}

/** A node of a syntax tree. */
type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesIn(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* nodesIn(part);
}

/** The text of an expression of literals and of constants of its file; undefined for any other. */
function textOf(node: unknown, constants: ReadonlyMap<string, unknown>): string | undefined {
  const all = (parts: readonly unknown[]): string | undefined => {
    const texts = parts.map((part) => (typeof part === 'string' ? part : textOf(part, constants)));
    return texts.includes(undefined) ? undefined : texts.join('');
  };
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type === 'Identifier') return textOf(constants.get(String(node.value)), constants);
  if (node.type === 'BinaryExpression' && node.operator === '+') return all([node.left, node.right]);
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node.quasis as ReadonlyArray<{ readonly cooked: string }>;
  const expressions = node.expressions as readonly unknown[];
  return all(quasis.flatMap(({ cooked }, index) => [cooked, ...expressions.slice(index, index + 1)]));
}

interface Expression {
  readonly file: string;
  /** Undefined when it is known at run time only. */
  readonly source: string | undefined;
  readonly flags: string;
}

function expressionsIn(file: string, text = read(file)): Expression[] {
  const nodes = [...nodesIn(parseSync(text, { syntax: 'typescript', target: 'es2022' }).body)];
  const constants = new Map(
    nodes.flatMap(({ type, id, init }) =>
      type === 'VariableDeclarator' && isNode(id) ? [[String(id.value), init] as const] : [],
    ),
  );
  return nodes.flatMap((node): Expression[] => {
    if (node.type === 'RegExpLiteral')
      return [{ file, source: String(node.pattern), flags: String(node.flags) }];
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (!isCall || !isNode(node.callee) || node.callee.value !== 'RegExp') return [];
    const given = node.arguments as ReadonlyArray<{ readonly expression: unknown }>;
    const [source, flags = ''] = given.map(({ expression }) => textOf(expression, constants));
    return [{ file, source, flags }];
  });
}

/** What takes more than linear time, or cannot be judged. */
function faultsOf(expressions: readonly Expression[]): string[] {
  const atRunTime = expressions
    .filter(({ source }) => source === undefined)
    .map(({ file }) => `${file}: made at run time`);
  // Only what repeats something without an end may take longer than its text.
  const isOpen = ({ source = '' }: Expression) =>
    /[*+]|,\}/.test(source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, ''));
  const repeating = expressions.filter(isOpen);
  const judgments = judgmentsOf(repeating);
  const written = repeating.map(
    ({ file, source, flags }, at) => `${file}: /${source}/${flags} is ${judgments[at]}`,
  );
  return [...atRunTime, ...written.filter((_, at) => !['safe', 'linear'].includes(judgments[at] ?? ''))];
}

test('The test finds expressions in every form, and what is wrong with them', () => {
  const text = [
    "const a = 'x+'; const b = /(y+)+$/su; const c = /[+]\\+{1,9}/;",
    `const d = new RegExp(\`^\${a}\` + 'z', 'i');`,
    "const e = (f: string) => RegExp(f) && ''.replace(/[/]+$/, '');",
  ].join('\n');
  const found = expressionsIn('f.ts', text);
  expect(found).toContainEqual({ file: 'f.ts', source: '^x+z', flags: 'i' });
  expect(faultsOf(found)).toEqual([
    'f.ts: made at run time',
    'f.ts: /(y+)+$/su is exponential',
    'f.ts: /[/]+$/ is 2nd degree polynomial',
  ]);
});

/** Files with expressions that may take longer, or are known at run time only, and why that does no harm. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['src/app.ts', 'of a setting, on addresses, with nothing repeated'],
  ['src/config.ts', 'on settings'],
  ['src/db/copy/own-tables.ts', 'on migrations'],
  ['src/model/contributed/field-faults.ts', 'compiled only'],
  ['src/words/atoms.ts', 'too large for the check; test/words splits long texts'],
  ['src/model/values/constraints.ts', 'of contributed schemas: docs/content-model.md says what it may be'],
]);

test('Every regular expression of src takes linear time', () => {
  const files = sourceFiles.filter((file) => !exceptions.has(file));
  expect(faultsOf(files.flatMap((file) => expressionsIn(file)))).toEqual([]);
  expect(sourceFiles).toEqual(expect.arrayContaining([...exceptions.keys()]));
}, 300_000);
