import type { FieldErrors } from '../form/errors.ts';
import { Fields } from '../form/field.tsx';
import { type FieldModel, withoutPrefix } from '../form/field-model.ts';
import { useSchemas } from '../form/use-model.ts';
import type { TaskRowFragment } from '../graphql/operations.ts';

/** The workflow variables that contain the users and groups to whom the next tasks are assigned. */
const actorVariables = new Set(['participants', 'assignees']);

/**
 * Converts a workflow variable to a form field. The field's name has no schema prefix, and variables for actors refer
 * to users and groups.
 */
const asVariable = (field: FieldModel): FieldModel => {
  const variable = withoutPrefix(field);
  return actorVariables.has(variable.name)
    ? { ...variable, reference: { xpath: variable.name, to: 'actor', directory: null, separator: null } }
    : variable;
};

interface TaskFormProps {
  readonly task: TaskRowFragment;
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: FieldErrors;
  readonly onChange: (name: string, value: unknown) => void;
}

/** Shows fields for the variables that can be set when the task is completed. */
export function TaskForm({ task, values, errors, onChange }: TaskFormProps) {
  const { takes, needs, schemas } = task.taskInfo;
  const fields = useSchemas(schemas.map(({ name }) => name))?.flatMap((schema) => schema.fields);
  if (!fields || takes.length === 0) return null;
  const shown = fields
    .map(asVariable)
    .filter(({ name }) => takes.includes(name))
    .map((field) => ({ ...field, isRequired: field.isRequired || needs.includes(field.name) }));
  return (
    <Fields
      fields={shown}
      values={{ ...(task.variables as Record<string, unknown>), ...values }}
      onChange={onChange}
      errors={errors}
      placeOf={(name) => name}
    />
  );
}
