/** The total number of characters above which an array of strings is serialized here instead of by `pg`. */
const maxCharacters = 100_000;

const [nul, quote, backslash] = [0x00, 0x22, 0x5c];

/**
 * Serializes a long array of strings in PostgreSQL's array syntax. `pg` escapes quotes and backslashes with regular
 * expressions, which would take seconds for several million of them.
 * @returns the value itself if it is not an array of strings, or is short
 */
export function withLongTexts(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  let length = 0;
  for (const item of value) {
    if (typeof item !== 'string') return value;
    length += item.length;
  }
  if (length <= maxCharacters) return value;
  const whole = value.join('\0');
  if (!whole.includes('"') && !whole.includes('\\')) return `{"${value.join('","')}"}`;
  const joined = Buffer.from(whole);
  const written = Buffer.allocUnsafe(joined.length * 3 + 4);
  let [end, items] = [written.write('{"'), 1];
  for (let at = 0; at < joined.length; at += 1) {
    const byte = joined[at] ?? nul;
    if (byte === nul) {
      items += 1;
      end += written.write('","', end);
      continue;
    }
    if (byte === quote || byte === backslash) {
      written[end] = backslash;
      end += 1;
    }
    written[end] = byte;
    end += 1;
  }
  if (items !== value.length) return value; // one of the strings contains a NUL character, which PostgreSQL rejects
  return `${written.toString('utf8', 0, end)}"}`;
}
