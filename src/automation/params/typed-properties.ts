import { Invalid } from '../../errors.ts';
import type { Model, Property } from '../../model/model.ts';
import { resolveXpath } from '../../model/values/value-location.ts';

/** A backslash before a comma makes it part of an item. */
const splitItems = (list: string): string[] =>
  (list.match(/(?:\\[\s\S]|[^,\\])+/g) ?? []).map((item) => item.replace(/\\(,)/g, '$1').trim());

function parseJson(json: string, xpath: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Invalid(`${xpath}: "${json.slice(0, 40)}" is no JSON`);
  }
}

const parseNumber = (text: string): unknown =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
const asItIs = (text: string): string => text;

// Texts that are no value of the property stay as they are: the store refuses them with a message of its own.
const parsers: Readonly<Record<Property['type'], (text: string, xpath: string) => unknown>> = {
  string: asItIs,
  binary: asItIs,
  date: asItIs,
  boolean: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text),
  long: parseNumber,
  double: parseNumber,
  complex: parseJson,
  blob: parseJson,
};

const parseSingle = ({ type }: Property, text: string, xpath: string): unknown => parsers[type](text, xpath);

function parseValue(property: Property, text: string): unknown {
  const { xpath, type, many } = property;
  const isText = type === 'string' || type === 'binary';
  if (text.trim() === '' && (many || !isText)) return null;
  if (!many) return parseSingle(property, text, xpath);
  if (/^\s*\[/.test(text)) return parseJson(text, xpath);
  if (type === 'complex' || type === 'blob') return [parseJson(text, xpath)];
  return splitItems(text).map((item) => parseSingle(property, item, xpath));
}

const propertyAt = (model: Model, xpath: string): Property | undefined =>
  resolveXpath((first) => model.property(first), xpath)?.property;

/**
 * Parses texts by the types of their properties: lists are items separated by commas, or JSON.
 * @throws Invalid on a text that should be JSON and is not
 */
export function typedProperties(
  model: Model,
  given: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const typed = Object.entries(given).map(([xpath, value]) => {
    const property = typeof value === 'string' ? propertyAt(model, xpath) : undefined;
    return [xpath, property ? parseValue(property, value as string) : value];
  });
  return Object.fromEntries(typed);
}

/** @returns a list of the only item, for a list property */
export function typedItem(model: Model, xpath: string, value: unknown): unknown[] {
  const property = typeof value === 'string' ? propertyAt(model, xpath) : undefined;
  return [property ? parseSingle(property, value as string, xpath) : value];
}
