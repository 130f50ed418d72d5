import { Download } from 'lucide-react';
import { editable, inOrder } from '../form/field-model.ts';
import { fieldLabel, schemaLabel } from '../form/labels.ts';
import { ownAddress, ShownValue } from '../form/shown-value.tsx';
import { useSchemas } from '../form/use-model.ts';
import { Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { Collections } from './collections.tsx';
import { type PartProps, valueAt } from './document.ts';
import { Members } from './members.tsx';
import { Preview } from './preview.tsx';
import { Tags } from './tags.tsx';

const isSet = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The values of the fields of a document, without empty ones. */
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

function About({ document }: PartProps) {
  const { path, uid, lastModified } = document;
  const facts = [
    [text('field.dc:created'), <Time key="created" at={valueAt(document, 'dc:created') as string | null} />],
    [text('field.dc:creator'), String(valueAt(document, 'dc:creator') ?? '–')],
    [text('field.dc:modified'), <Time key="modified" at={lastModified} />],
    [text('field.dc:lastContributor'), String(valueAt(document, 'dc:lastContributor') ?? '–')],
    [text('document.path'), path],
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
  const { renditions } = contextParameters;
  if (renditions.length === 0) return null;
  return (
    <section className="card">
      <h2>{text('document.renditions')}</h2>
      <ul className="values">
        {renditions.map(({ name, url }) => (
          <li key={name}>
            <a href={ownAddress(url)} className="file-link" download={`${title}-${name}`}>
              <Download size={14} aria-hidden /> {textOr(`rendition.${name}`, name)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The preview of a document, or the members of a collection; folders have neither. */
function Main({ document }: PartProps) {
  if (document.facets.includes('Collection')) return <Members document={document} />;
  if (document.facets.includes('Folderish')) return null;
  return (
    <section className="card preview" aria-label={text('document.preview', { title: document.title })}>
      <Preview document={document} />
    </section>
  );
}

export const Overview = ({ document }: PartProps) => (
  <div className="overview">
    <Main document={document} />
    <div className="facts">
      <Properties document={document} />
      <Tags document={document} />
      <Collections document={document} />
      <Renditions document={document} />
      <About document={document} />
    </div>
  </div>
);
