import type { FieldErrors } from './errors.ts';
import { Fields } from './field.tsx';
import { formSections, type SchemaModel } from './field-model.ts';
import { schemaLabel } from './labels.ts';

interface DocumentFieldsProps {
  readonly schemas: readonly SchemaModel[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: FieldErrors;
  readonly onChange: (field: string, value: unknown) => void;
}

/** The editors for all fields of a document, in sections. */
export const DocumentFields = ({ schemas, ...props }: DocumentFieldsProps) =>
  formSections(schemas).map(({ name, fields }) => (
    <section key={name} className={name === 'writing' ? 'writing' : 'card'}>
      {name !== 'writing' && <h2>{schemaLabel(name)}</h2>}
      <div className={name === 'writing' ? 'form' : 'form-grid'}>
        <Fields {...props} fields={fields} placeOf={(field) => field} />
      </div>
    </section>
  ));
