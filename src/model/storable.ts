import { Invalid } from '../errors.ts';

/** Deepest nesting of JSON: far beyond any document, far below what a stack can take. */
const deepest = 100;

const loneSurrogate = /\p{Surrogate}/u;

/** @throws Invalid for text that no PostgreSQL text or JSON can hold. */
function requireText(text: string): void {
  if (text.includes('\0')) throw new Invalid('a text contains a NUL character');
  if (loneSurrogate.test(text)) throw new Invalid('a text contains half of a surrogate pair');
}

/** @throws Invalid when anything in the JSON cannot be kept, whatever the place. */
export function requireStorable(json: unknown): void {
  const rest: Array<{ value: unknown; depth: number }> = [{ value: json, depth: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') requireText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= deepest) throw new Invalid(`the JSON is nested more than ${deepest} levels deep`);
    for (const [key, inner] of Object.entries(value)) {
      requireText(key);
      if (key === '__proto__') throw new Invalid('an object has a field called __proto__');
      rest.push({ value: inner, depth: depth + 1 });
    }
  }
}
