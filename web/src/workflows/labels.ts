import { textOr } from '../texts/text.ts';

/**
 * Returns the text for a workflow's label key, such as `wf.review.Validate`. Only the last part of the key is used.
 * Texts that are not label keys are returned unchanged.
 */
export function labelText(key: string): string {
  if (!/^[\w.]+\.\w+$/.test(key)) return textOr(`wf.${key}`, key);
  const name = key.split('.').at(-1) ?? key;
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return textOr(`wf.${name}`, textOr(`wf.${lower}`, name));
}
