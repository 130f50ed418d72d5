import type { StoredProperties } from '../values/stored.ts';
import type { TaskDefinition } from './definition.ts';

/** Returns the name and the directive of a task. Each is a message key or plain text; the directive can be null. */
export function taskTexts(
  { name, directive }: Pick<TaskDefinition, 'name' | 'directive'>,
  variables: StoredProperties,
): { name: string; directive: string | null } {
  const textOf = (text: TaskDefinition['name']): string | null =>
    typeof text === 'string' ? text : ((variables[text.variable] as string | null | undefined) ?? null);
  return { name: textOf(name) ?? '', directive: textOf(directive) };
}
