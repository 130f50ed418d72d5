import { Invalid } from '../../errors.ts';
import type { Model, Property } from '../../model/model.ts';
import { resolveXpath } from '../../model/values/value-location.ts';

/** A backslash before a comma makes it part of an item. */
const splitItems = (list: string): string[] =>
  (list.match(/(?:\\[\s\S]|[^,\\])+/g) ?? []).map((item) => item.replace(/\\(,)/g, '$1').trim());

function parseJson(xpath: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Invalid(`${xpath}: "${json.slice(0, 40)}" is no JSON`);
  }
}

// Texts that are no value of the property stay as they are: the store refuses them with a message of its own.
function parseSingle({ type }: Property, text: string, xpath: string): unknown {
  switch (type) {
    case 'boolean':
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text;
    case 'long':
    case 'double':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    case 'complex':
    case 'blob':
      return parseJson(xpath, text);
    default:
      return text;
  }
}

function parseValue(property: Property, text: string): unknown {
  const { xpath, type, many } = property;
  const isText = type === 'string' || type === 'binary';
  if (text.trim() === '' && (many || !isText)) return null;
  if (!many) return parseSingle(property, text, xpath);
  if (/^\s*\[/.test(text)) return parseJson(xpath, text);
  if (type === 'complex' || type === 'blob') return [parseJson(xpath, text)];
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
