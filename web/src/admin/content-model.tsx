import { ChevronRight, Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../graphql/client.ts';
import { type ContentModelQuery, contentModel, documentsOfType, modelUses } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { saveText } from '../parts/save-text.ts';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { countText, totalText } from '../parts/time.tsx';
import { type TextKey, text, textOr } from '../texts/text.ts';
import { Disclosed } from './disclosed.tsx';
import { FormPreview } from './form-preview.tsx';
import { ModelCheck } from './model-check.tsx';
import { ModelFiles } from './model-files.tsx';
import { WorkflowModels } from './workflow-models.tsx';

type Model = ContentModelQuery;
type DocType = Model['docTypes']['entries'][number];
type Schema = Model['schemas']['entries'][number];

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

interface UseProps {
  readonly condition: string;
  /** The address of a search for the documents; absent if the search has no filter for the condition. */
  readonly address?: string;
}

/** The number of documents that match a condition, as a link to them. */
function Use({ condition, address }: UseProps) {
  const query = `SELECT * FROM Document WHERE ${condition} AND ecm:isVersion = 0 AND ecm:isTrashed = 0`;
  const { data, error } = useAnswer(documentsOfType, { query });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const { resultsCount: total, resultsCountEstimate } = data.search;
  const count = totalText({ total, estimate: resultsCountEstimate ?? undefined });
  const shown = text('model.documents', { count });
  return address ? <Link to={address}>{shown}</Link> : shown;
}

/** Returns the number of documents that use a part of the model, after what else is said about the part. */
type CountUses = (kind: 'type' | 'facet' | 'schema', name: string) => string;

const noUses = (): string => '';

/**
 * Loads the numbers of documents that use the parts of the model. The server estimates them from a sample if there are
 * many documents.
 */
function useUses(): CountUses {
  const { data } = useAnswer(modelUses, {}, { staleTime: 60_000 });
  if (!data) return noUses;
  const { isEstimate, uses } = data.modelUses;
  const counts = new Map(uses.map(({ kind, name, documents }) => [`${kind} ${name}`, documents]));
  return (kind, name) => {
    const count = counts.get(`${kind} ${name}`) ?? 0;
    if (count === 0) return isEstimate ? '' : text('model.unused');
    return text('model.documents', { count: isEstimate ? `≈ ${countText(count)}` : countText(count) });
  };
}

const withUses = (hint: string, uses: string): string => [hint, uses].filter(Boolean).join(' · ');

interface TypeProps {
  readonly type: DocType;
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly uses: CountUses;
}

function Type({ type, schemas, uses }: TypeProps) {
  const { name, parent, facets } = type;
  return (
    <Disclosed name={name} hint={withUses(textOr(`type.${name}`, ''), uses('type', name))}>
      <p className="hint">
        {parent && `${text('model.parent')}: ${parent}. `}
        {text('model.facets')}: {facets.join(', ') || '–'}.{' '}
        <Use
          condition={`ecm:primaryType = '${name}'`}
          address={`/search?system_primaryType_agg=${encodeURIComponent(name)}`}
        />
      </p>
      <FormPreview type={textOr(`type.${name}`, name)} schemas={type.schemas.map((schema) => schema.name)} />
      <div className="model">
        {type.schemas.map(({ name: schema }) => {
          const found = schemas.get(schema);
          return found && <Fields key={schema} schema={found} />;
        })}
      </div>
    </Disclosed>
  );
}

const typesWith = (types: readonly DocType[], has: (type: DocType) => boolean): string =>
  types
    .filter(has)
    .map(({ name }) => name)
    .join(', ') || '–';

interface SchemaItemProps {
  readonly schema: Schema;
  readonly types: readonly DocType[];
  readonly uses: CountUses;
}

function SchemaItem({ schema, types, uses }: SchemaItemProps) {
  const users = typesWith(types, (type) => type.schemas.some(({ name }) => name === schema.name));
  const count = Object.keys(schema.fields as object).length;
  return (
    <Disclosed
      name={schema.name}
      hint={withUses(text('model.fieldCount', { count }), uses('schema', schema.name))}
    >
      <p className="hint">
        {text('model.types')}: {users}
      </p>
      <Fields schema={schema} />
    </Disclosed>
  );
}

interface FacetItemProps {
  readonly facet: string;
  readonly types: readonly DocType[];
  readonly uses: CountUses;
}

const FacetItem = ({ facet, types, uses }: FacetItemProps) => (
  <Disclosed name={facet} hint={uses('facet', facet)}>
    <p className="hint">
      {text('model.types')}: {typesWith(types, ({ facets }) => facets.includes(facet))}.{' '}
      <Use condition={`ecm:mixinType = '${facet}'`} />
    </p>
  </Disclosed>
);

interface GroupProps {
  readonly title: TextKey;
  readonly children: readonly ReactNode[];
}

const Group = ({ title, children }: GroupProps) =>
  children.length > 0 && (
    <section className="stack" aria-label={text(title)}>
      <h2>{text(title)}</h2>
      {children}
    </section>
  );

/** Whether a part of the model contains the typed text in its name or in the name of a field. */
const contains = (term: string, names: readonly string[]): boolean =>
  names.some((name) => name.toLowerCase().includes(term.trim().toLowerCase()));

const fieldsOf = ({ prefix, name, fields }: Schema): string[] =>
  Object.keys(fields as object).map((field) => `${prefix ?? name}:${field}`);

/** A read-only view of the document types, schemas and facets, with where they are used. */
export function ContentModel() {
  const { data, error } = useAnswer(contentModel, {}, { staleTime: Number.POSITIVE_INFINITY });
  const [term, setTerm] = useState('');
  const uses = useUses();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const all = data.docTypes.entries;
  const schemas = new Map(data.schemas.entries.map((schema) => [schema.name, schema]));
  const types = all.filter(({ name }) => contains(term, [name, textOr(`type.${name}`, '')]));
  const found = data.schemas.entries.filter((schema) => contains(term, [schema.name, ...fieldsOf(schema)]));
  const facets = [...new Set(all.flatMap((type) => [...type.facets]))]
    .filter((facet) => contains(term, [facet]))
    .toSorted();
  return (
    <div className="stack">
      <div className="card-head">
        <div className="narrow">
          <TextField label={text('model.find')} type="search" value={term} onChange={setTerm} />
        </div>
        <Button
          icon={Download}
          onPress={() => saveText('content-model.json', 'application/json', JSON.stringify(data, null, 2))}
        >
          {text('model.download')}
        </Button>
      </div>
      {types.length + found.length + facets.length === 0 && (
        <Empty icon={ChevronRight}>{text('form.noneFound')}</Empty>
      )}
      <Group title="model.types">
        {types.map((type) => (
          <Type key={type.name} type={type} schemas={schemas} uses={uses} />
        ))}
      </Group>
      <Group title="model.schemas">
        {found.map((schema) => (
          <SchemaItem key={schema.name} schema={schema} types={all} uses={uses} />
        ))}
      </Group>
      <Group title="model.facets">
        {facets.map((facet) => (
          <FacetItem key={facet} facet={facet} types={all} uses={uses} />
        ))}
      </Group>
      {term.trim() === '' && (
        <>
          <WorkflowModels />
          <section className="card stack">
            <h2>{text('model.files')}</h2>
            <ModelFiles />
          </section>
          <ModelCheck />
        </>
      )}
    </div>
  );
}
