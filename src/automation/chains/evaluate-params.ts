import { Invalid } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import type { Context } from '../../loaders/context.ts';
import type { CallState } from '../call.ts';
import type { Param, Params } from '../params/param.ts';
import { parsePropertyLines } from '../params/property-lines.ts';
import { evaluate, plain } from './evaluate.ts';
import { isExpression, isTemplate, parseExpression, withoutPrefix } from './expressions.ts';

type Evaluation = (value: unknown) => Promise<unknown>;

function containsExpression(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsExpression);
  if (typeof value !== 'object' || value === null) return isExpression(value);
  return Object.values(value).some(containsExpression);
}

async function inside(value: unknown, evaluated: Evaluation): Promise<unknown> {
  if (!containsExpression(value)) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (isTurnOver()) await yieldToEventLoop();
      items.push(await inside(item, evaluated));
    }
    return items;
  }
  if (typeof value !== 'object' || value === null) return evaluated(value);
  const fields: Array<[string, unknown]> = [];
  for (const [name, field] of Object.entries(value)) {
    if (isTurnOver()) await yieldToEventLoop();
    fields.push([name, await inside(field, evaluated)]);
  }
  return Object.fromEntries(fields);
}

// Splits a value into lines before its expressions are evaluated. Otherwise a line break in an evaluated value
// would start a new property.
function linesOf(value: string): unknown {
  if (parseExpression(value).length === 1) return value;
  const read = parsePropertyLines(withoutPrefix(value));
  if (typeof read === 'string') throw new Invalid(read);
  return Object.fromEntries(
    Object.entries(read).map(([name, text]) => [name, isTemplate(text) ? `expr:${text}` : text]),
  );
}

async function evaluateParam(
  { kind }: Param<unknown>,
  given: unknown,
  evaluated: Evaluation,
  isDeep: boolean,
) {
  const isLines = kind.name === 'properties' && isExpression(given);
  const value = isLines ? linesOf(given) : given;
  if (isDeep || isLines) return inside(value, evaluated);
  // Unwraps a list that consists of a single expression, because GraphQL converts a single value to a list.
  if (Array.isArray(value) && value.length === 1 && isExpression(value[0])) {
    const item = await evaluated(value[0]);
    return Array.isArray(item) ? item : [item];
  }
  return evaluated(value);
}

/**
 * Evaluates the expressions in the parameters of an operation. The results are not evaluated again, even if they look
 * like expressions. In parameters sent by a client, an expression must be the whole value; in chains, it can also be
 * nested in a JSON value.
 */
export async function evaluateParams(
  context: Context,
  call: CallState,
  params: Params,
  given: Readonly<Record<string, unknown>>,
  isDeep: boolean,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const byName = new Map([
    ...Object.values(params).flatMap((param) => param.aliases.map((alias) => [alias, param] as const)),
    ...Object.entries(params),
  ]);
  for (const name of Object.keys(given)) {
    if (isTurnOver()) await yieldToEventLoop();
    const value = given[name];
    const param = byName.get(name);
    if (!param || param.kind.expressions === 'later') {
      if (isExpression(value))
        throw new Invalid(
          `${name}: an expression can be used inside the value, but cannot be the entire value.`,
        );
      values[name] = value;
      continue;
    }
    const isUnconverted = param.kind.expressions === 'unconverted';
    const evaluated: Evaluation = async (each) => {
      if (!isExpression(each)) return each;
      const found = await evaluate(context, call, each);
      return isUnconverted ? found : plain(found);
    };
    values[name] = await evaluateParam(param, value, evaluated, isDeep);
  }
  return values;
}
