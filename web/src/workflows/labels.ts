import { textOr } from '../texts/text.ts';

/**
 * The text for a label key of a workflow, such as `wf.review.Validate`, which is looked up by its last part. Texts that
 * are not label keys are returned as they are.
 */
export function labelText(key: string): string {
  if (!/^[\w.]+\.\w+$/.test(key)) return textOr(`wf.${key}`, key);
  const name = key.split('.').at(-1) ?? key;
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return textOr(`wf.${name}`, textOr(`wf.${lower}`, name));
}
