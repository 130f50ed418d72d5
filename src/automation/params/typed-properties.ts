import { Invalid } from '../../errors.ts';
import type { Model, Property } from '../../model/model.ts';
import { JsonBudget, parseJsonOrNothing } from '../../model/values/json-budget.ts';
import { isJsonList } from '../../model/values/list-text.ts';
import { resolveXpath } from '../../model/values/value-location.ts';

/** Returns the number of backslashes at the end of a string. */
function trailingBackslashes(text: string): number {
  let count = 0;
  while (text[text.length - 1 - count] === '\\') count += 1;
  return count;
}

/**
 * Splits a string at commas, except at commas that follow an unescaped backslash. Empty items are omitted. A regular
 * expression is not used, because its stack would overflow for an item of 10 MB.
 */
function splitItems(list: string): string[] {
  const items: string[] = [];
  let pieces: string[] = [];
  const end = (): void => {
    const item = pieces.join(',');
    if (item !== '') items.push(item.trim());
    pieces = [];
  };
  for (const part of list.split(',')) {
    const isEscaped = trailingBackslashes(part) % 2 === 1; // The comma after this part belongs to the item.
    pieces.push(isEscaped ? part.slice(0, -1) : part);
    if (!isEscaped) end();
  }
  end();
  return items;
}

function parseJson(json: string, xpath: string, budget: JsonBudget): unknown {
  const value = parseJsonOrNothing(json, xpath, budget);
  if (value === undefined) throw new Invalid(`${xpath}: "${json.slice(0, 40)}" is not valid JSON.`);
  return value;
}

const parseNumber = (text: string): unknown =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
const asItIs = (text: string): string => text;

// Parses the value of a property from a string. A string that is not a valid value is returned unchanged, so that
// the store rejects it with its own message.
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
 * Parses strings according to the types of their properties. Lists are given as JSON or as items separated by commas.
 * @throws Invalid if a string must be JSON but is not; TooLarge if the strings together exceed the limit on JSON values
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
 * Parses a single item to be added to or removed from a list property.
 * @returns a list that contains only this item
 */
export function typedItem(model: Model, xpath: string, value: unknown): unknown[] {
  const property = typeof value === 'string' ? propertyAt(model, xpath) : undefined;
  return [property ? parsers[property.type](value as string, xpath, new JsonBudget()) : value];
}
