import { Invalid } from '../../errors.ts';
import type { Model, Property } from '../../model/model.ts';
import { JsonBudget, parseJsonOrNothing } from '../../model/values/json-budget.ts';
import { isJsonList } from '../../model/values/list-text.ts';
import { resolveXpath } from '../../model/values/value-location.ts';

/** Splits a text at commas, except at those after a backslash. */
const splitItems = (list: string): string[] =>
  (list.match(/(?:\\[\s\S]|[^,\\])+/g) ?? []).map((item) => item.replace(/\\(,)/g, '$1').trim());

function parseJson(json: string, xpath: string, budget: JsonBudget): unknown {
  const value = parseJsonOrNothing(json, xpath, budget);
  if (value === undefined) throw new Invalid(`${xpath}: "${json.slice(0, 40)}" is not valid JSON.`);
  return value;
}

const parseNumber = (text: string): unknown =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
const asItIs = (text: string): string => text;

// Parses the text of a property's value. A text that is not a valid value is returned unchanged, and the
// store refuses it with its own message.
type Parse = (text: string, xpath: string, budget: JsonBudget) => unknown;

const parsers: Readonly<Record<Property['type'], Parse>> = {
  string: asItIs,
  binary: asItIs,
  date: asItIs,
  boolean: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text),
  long: parseNumber,
  double: parseNumber,
  complex: parseJson,
  blob: parseJson,
};

function parseValue(property: Property, text: string, budget: JsonBudget): unknown {
  const { xpath, type, many } = property;
  const isText = type === 'string' || type === 'binary';
  if (text.trim() === '' && (many || !isText)) return null;
  const parse = parsers[type];
  if (!many) return parse(text, xpath, budget);
  if (isJsonList(text)) return parseJson(text, xpath, budget);
  if (type === 'complex' || type === 'blob') return [parseJson(text, xpath, budget)];
  budget.spendItems(text, ',', xpath);
  return splitItems(text).map((item) => parse(item, xpath, budget));
}

const propertyAt = (model: Model, xpath: string): Property | undefined =>
  resolveXpath((first) => model.property(first), xpath)?.property;

/**
 * Parses texts according to the types of their properties. Lists are JSON, or items separated by commas.
 * @throws Invalid for a text that must be JSON and is not; TooLarge if the texts together contain more values
 * than JSON may have
 */
export function typedProperties(
  model: Model,
  given: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const budget = new JsonBudget();
  const typed: Array<[xpath: string, value: unknown]> = [];
  for (const xpath of Object.keys(given)) {
    const value = given[xpath];
    const property = typeof value === 'string' ? propertyAt(model, xpath) : undefined;
    if (property) typed.push([xpath, parseValue(property, value as string, budget)]);
  }
  return typed.length > 0 ? { ...given, ...Object.fromEntries(typed) } : given;
}

/**
 * Parses the value of one list item.
 * @returns a list with the item, for a list property
 */
export function typedItem(model: Model, xpath: string, value: unknown): unknown[] {
  const property = typeof value === 'string' ? propertyAt(model, xpath) : undefined;
  return [property ? parsers[property.type](value as string, xpath, new JsonBudget()) : value];
}
