import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { useAnswer } from '../graphql/client.ts';
import { type ContentModelQuery, contentModel } from '../graphql/operations.ts';
import { TextField } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text, textOr } from '../texts/text.ts';

type DocType = ContentModelQuery['docTypes']['entries'][number];
type Schema = ContentModelQuery['schemas']['entries'][number];

const typeOf = (type: unknown): string =>
  typeof type === 'string' ? type : String((type as { type: string }).type);

const Fields = ({ schema }: { readonly schema: Schema }) => (
  <section>
    <h3>
      {schema.name} {schema.prefix && <span className="hint">{schema.prefix}:</span>}
    </h3>
    <ul className="model-fields">
      {Object.entries(schema.fields as Record<string, unknown>).map(([name, type]) => (
        <li key={name}>
          {name} <span className="hint">{typeOf(type)}</span>
        </li>
      ))}
    </ul>
  </section>
);

function Type({ type, schemas }: { readonly type: DocType; readonly schemas: ReadonlyMap<string, Schema> }) {
  const { name, parent, facets } = type;
  return (
    <Disclosure className="disclosure card">
      <Heading level={2}>
        <Button slot="trigger" className="disclosure-button">
          <ChevronRight size={16} aria-hidden />
          {name} <span className="hint">{textOr(`type.${name}`, '')}</span>
        </Button>
      </Heading>
      <DisclosurePanel>
        <p className="hint">
          {parent && `${text('model.parent')}: ${parent}. `}
          {text('model.facets')}: {facets.join(', ') || '–'}
        </p>
        <div className="model">
          {type.schemas.map(({ name: schema }) => {
            const found = schemas.get(schema);
            return found && <Fields key={schema} schema={found} />;
          })}
        </div>
      </DisclosurePanel>
    </Disclosure>
  );
}

/** A read-only view of the document types and their schemas. */
export function ContentModel() {
  const { data, error } = useAnswer(contentModel, {}, { staleTime: Number.POSITIVE_INFINITY });
  const [term, setTerm] = useState('');
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const schemas = new Map(data.schemas.entries.map((schema) => [schema.name, schema]));
  const types = data.docTypes.entries.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()));
  return (
    <div className="stack">
      <div className="narrow">
        <TextField label={text('model.find')} type="search" value={term} onChange={setTerm} />
      </div>
      {types.map((type) => (
        <Type key={type.name} type={type} schemas={schemas} />
      ))}
    </div>
  );
}
