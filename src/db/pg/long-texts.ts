/** Characters of the texts of an array above which it is written here. */
const longTexts = 100_000;

const [nul, quote, backslash] = [0x00, 0x22, 0x5c];

/**
 * An array of texts as PostgreSQL reads it. `pg` replaces quotes and backslashes by expressions, which would take
 * seconds for some millions of them.
 * @returns the value itself where it is something else, or short
 */
export function withLongTexts(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  let length = 0;
  for (const item of value) {
    if (typeof item !== 'string') return value;
    length += item.length;
  }
  if (length <= longTexts) return value;
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
  if (items !== value.length) return value; // one of them has a NUL, which PostgreSQL refuses
  return `${written.toString('utf8', 0, end)}"}`;
}
