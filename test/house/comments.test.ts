import { expect, test } from '@jest/globals';
import { read, sourceFiles } from './tree.ts';

interface Comment {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Comments that fill lines of their own. */
function commentsOf(text: string): Comment[] {
  let isBlock = false;
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    const starts = trimmed.startsWith('/*');
    const isComment = isBlock || starts || trimmed.startsWith('//');
    if (isBlock || starts) isBlock = !trimmed.includes('*/');
    return isComment ? [{ line: index + 1, text: line }] : [];
  });
}

const files = sourceFiles.map((file) => {
  const text = read(file);
  return { file, lines: text.split('\n').length - 1, comments: commentsOf(text) };
});

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

test('The test finds comments in every form', () => {
  const text = ['/** a */', 'const b = 1; // c', '/*', ' * d', ' */', '// e', "const f = '/*';"].join('\n');
  expect(commentsOf(text).map(({ line }) => line)).toEqual([1, 3, 4, 5, 6]);
});

test('Comments are at most 8 % of the lines of src', () => {
  const comments = sum(files.map((file) => file.comments.length));
  expect(comments / sum(files.map(({ lines }) => lines))).toBeLessThanOrEqual(0.08);
});

test('No comment is wider than the code, and no comment makes a person of a row or a request', () => {
  const isFaulty = (text: string): boolean =>
    text.length > 110 || /\b(nobody|somebody|whoever|anybody|everybody|told)\b/i.test(text);
  const faults = files.flatMap(({ file, comments }) =>
    comments.filter(({ text }) => isFaulty(text)).map(({ line, text }) => `${file}:${line} ${text.trim()}`),
  );
  expect(faults).toEqual([]);
});
