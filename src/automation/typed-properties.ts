import { Invalid } from '../errors.ts';
import type { Model, Property } from '../model/model.ts';
import { placeOf } from '../model/value-at.ts';

/** Words with commas between them; a backslash before a comma makes it part of a word. */
const words = (list: string): string[] =>
  (list.match(/(?:\\[\s\S]|[^,\\])+/g) ?? []).map((word) => word.replace(/\\(,)/g, '$1').trim());

function parsed(xpath: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Invalid(`${xpath}: "${json.slice(0, 40)}" is no JSON`);
  }
}

/** What a text means as one value of a property; one that cannot mean any is left for the store to refuse. */
function oneOf({ type }: Property, text: string, xpath: string): unknown {
  switch (type) {
    case 'boolean':
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text;
    case 'long':
    case 'double':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    case 'complex':
    case 'blob':
      return parsed(xpath, text);
    default:
      return text;
  }
}

/** What a text means as the value of a property. */
function meaningOf(property: Property, text: string): unknown {
  const { xpath, type, many } = property;
  const isWords = type === 'string' || type === 'binary';
  if (text.trim() === '' && (many || !isWords)) return null;
  if (!many) return oneOf(property, text, xpath);
  if (/^\s*\[/.test(text)) return parsed(xpath, text);
  if (type === 'complex' || type === 'blob') return [parsed(xpath, text)];
  return words(text).map((word) => oneOf(property, word, xpath));
}

/** What a place holds whose xpath is given, whatever schema has it. */
const propertyAt = (model: Model, xpath: string): Property | undefined =>
  placeOf((first) => model.property(first), xpath)?.property;

/**
 * Properties as clients send them to operations: a text stands for whatever the property holds, a list for instance
 * is words with commas between them, or JSON. Everything else is as in any body.
 * @throws Invalid on a text that should be JSON and is not.
 */
export function typedProperties(
  model: Model,
  given: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const typed = Object.entries(given).map(([xpath, value]) => {
    const property = typeof value === 'string' ? propertyAt(model, xpath) : undefined;
    return [xpath, property ? meaningOf(property, value as string) : value];
  });
  return Object.fromEntries(typed);
}

/** One item of a list property as clients send it, as the list of it alone. */
export function typedItem(model: Model, xpath: string, value: unknown): unknown[] {
  const property = typeof value === 'string' ? propertyAt(model, xpath) : undefined;
  return [property ? oneOf(property, value as string, xpath) : value];
}
