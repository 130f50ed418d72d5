import type { StoredProperties } from '../values/stored.ts';
import type { TaskDefinition } from './definition.ts';

/** The name and the directive of a task: label keys, or texts. The directive may be null. */
export function taskTexts(
  { name, directive }: Pick<TaskDefinition, 'name' | 'directive'>,
  variables: StoredProperties,
): { name: string; directive: string | null } {
  const textOf = (told: TaskDefinition['name']): string | null =>
    typeof told === 'string' ? told : ((variables[told.variable] as string | null | undefined) ?? null);
  return { name: textOf(name) ?? '', directive: textOf(directive) };
}
