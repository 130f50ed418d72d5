import { textOr } from '../texts/text.ts';

/** A label key such as `wf.review.Validate` as a text, by its last part; other texts stay. */
export function labelText(key: string): string {
  if (!/^[\w.]+\.\w+$/.test(key)) return textOr(`wf.${key}`, key);
  const name = key.split('.').at(-1) ?? key;
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return textOr(`wf.${name}`, textOr(`wf.${lower}`, name));
}
