import { Invalid } from '../../errors.ts';

/** A path from a variable to a value inside it: `Document["dc:title"]`, `item.name`, `list[0]`. */
export interface Path {
  readonly text: string;
  readonly root: string;
  readonly steps: ReadonlyArray<string | number>;
}

/**
 * The parts of an expression: literal strings and paths. If a path is the only part, the value can have any type;
 * otherwise it is a string.
 */
type Expression = ReadonlyArray<string | Path>;

const prefix = /^\s*expr:/;

export const isExpression = (value: unknown): value is string =>
  typeof value === 'string' && prefix.test(value);

const step = /\.([A-Za-z_]\w*(?::\w+)?)|\[(?:"([^"]*)"|'([^']*)'|(\d{1,9}))\]/gy;

/** @throws Invalid, with a message that quotes the expression */
function parsePath(text: string): Path {
  const source = `.${text.trim()}`;
  const steps: Array<string | number> = [];
  let end = 0;
  for (const match of source.matchAll(step)) {
    const [whole, name, double, single, index] = match;
    steps.push(name ?? double ?? single ?? Number(index));
    end = match.index + whole.length;
  }
  const [root, ...below] = steps;
  if (end < source.length || typeof root !== 'string')
    throw new Invalid(
      `expr:${text.slice(0, 200)}: expressions can only contain paths to properties and variables`,
    );
  return { text: text.trim(), root, steps: below };
}

export const withoutPrefix = (expression: string): string => expression.replace(prefix, '').trim();

const opening = '@{';

export const isTemplate = (expression: string): boolean => expression.includes(opening);

/**
 * Parses a path, or a string that contains paths in `@{…}`.
 * @throws Invalid, with a message that quotes the expression
 */
export function parseExpression(expression: string): Expression {
  const text = withoutPrefix(expression);
  if (!isTemplate(text)) return [parsePath(text)];
  const [first = '', ...others] = text.split(opening);
  const parts = others.flatMap((piece) => {
    const end = piece.indexOf('}');
    if (end < 0) throw new Invalid(`expr:${opening}${piece.slice(0, 200)}: a } is missing`);
    return [parsePath(piece.slice(0, end)), piece.slice(end + 1)];
  });
  return [first, ...parts].filter((part) => part !== '');
}
