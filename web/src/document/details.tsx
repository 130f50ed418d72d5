import { Download } from 'lucide-react';
import { editable, inOrder } from '../form/field-model.ts';
import { fieldLabel, schemaLabel } from '../form/labels.ts';
import { ownAddress, ShownValue } from '../form/shown-value.tsx';
import { useSchemas } from '../form/use-model.ts';
import { pathText } from '../listing/path-text.ts';
import { Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { Person, PersonAvatar } from '../values/person.tsx';
import { Collections } from './collections.tsx';
import { type PartProps, valueAt } from './document.ts';
import { Tags } from './tags.tsx';

const isSet = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Shows those fields of a document that have a value. */
function Properties({ document }: PartProps) {
  const schemas = useSchemas(document.schemas.map(({ name }) => name));
  if (!schemas) return <Loading />;
  const shown = inOrder(editable(schemas))
    .map(({ name, fields }) => ({
      name,
      fields: fields.filter(
        (field) =>
          field.name !== 'note:note' && field.name !== 'dc:title' && isSet(valueAt(document, field.name)),
      ),
    }))
    .filter(({ fields }) => fields.length > 0);
  return shown.map(({ name, fields }) => (
    <section key={name} className="card">
      <h2>{schemaLabel(name)}</h2>
      <dl className="properties">
        {fields.map((field) => (
          <div key={field.name}>
            <dt>{fieldLabel(field.name)}</dt>
            <dd>
              <ShownValue field={field} value={valueAt(document, field.name)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

/** The name of a user, after the initials. */
function Named({ id }: { readonly id: unknown }) {
  if (typeof id !== 'string' || id === '') return '–';
  return (
    <span className="with-avatar">
      <PersonAvatar id={id} />{' '}
      <span>
        <Person id={id} />
      </span>
    </span>
  );
}

function About({ document }: PartProps) {
  const { path, uid, lastModified } = document;
  const facts = [
    [text('field.dc:created'), <Time key="created" at={valueAt(document, 'dc:created') as string | null} />],
    [text('field.dc:creator'), <Named key="creator" id={valueAt(document, 'dc:creator')} />],
    [text('field.dc:modified'), <Time key="modified" at={lastModified} />],
    [text('field.dc:lastContributor'), <Named key="last" id={valueAt(document, 'dc:lastContributor')} />],
    [text('document.path'), pathText(path)],
    [text('document.id'), uid],
  ] as const;
  return (
    <section className="card">
      <h2>{text('document.about')}</h2>
      <dl className="properties">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="long-text">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Renditions({ document: { contextParameters, title } }: PartProps) {
  const named = contextParameters.renditions.map((each) => ({
    ...each,
    label: textOr(`rendition.${each.name}`, each.name),
  }));
  // Removes duplicate labels: a picture has one thumbnail among its renditions and another among its views.
  const renditions = named.filter(
    ({ label }, index) => named.findIndex((each) => each.label === label) === index,
  );
  if (renditions.length === 0) return null;
  return (
    <section className="card">
      <h2>{text('document.renditions')}</h2>
      <ul className="values">
        {renditions.map(({ name, url, label }) => (
          <li key={name}>
            <a href={ownAddress(url)} className="file-link" download={`${title}-${name}`}>
              <Download size={14} aria-hidden /> {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the details of a document: its properties, tags, collections and download formats. */
export const Details = ({ document }: PartProps) => (
  <div className="facts">
    <About document={document} />
    <Properties document={document} />
    <Tags document={document} />
    <Collections document={document} />
    <Renditions document={document} />
  </div>
);
