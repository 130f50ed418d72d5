import { useState } from 'react';
import { type Description, resolved, type Schema } from './description.ts';
import { Prose } from './prose.tsx';

const nameOf = ({ $ref = '' }: Schema): string => $ref.replace(/^.*\//, '');

/** Describes the type of a schema in one line, such as `array of Document` or `string or null`. */
function typeText(schema: Schema): string {
  if (schema.$ref) return nameOf(schema);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return `one of ${schema.enum.slice(0, 12).join(', ')}${schema.enum.length > 12 ? ', …' : ''}`;
  if (schema.type === undefined) return 'any';
  const names = [schema.type].flat().map((type) => {
    if (type === 'array' && schema.items) return `array of ${typeText(schema.items)}`;
    return type === 'string' && schema.format ? schema.format : type;
  });
  return names.join(' or ');
}

/** Returns the object schemas that a schema contains as references, array items or alternatives. */
function objectsIn(schema: Schema): Schema[] {
  if (schema.$ref || schema.properties) return [schema];
  const more = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
  return [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? []), ...more].flatMap(objectsIn);
}

interface SchemaProps {
  readonly description: Description;
  readonly schema: Schema;
}

function Properties({ description, schema }: SchemaProps) {
  const { properties = {}, required = [], ...self } = resolved(description, schema);
  return (
    <>
      {self.description && <Prose text={self.description} />}
      <dl className="properties">
        {Object.entries(properties).map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code> <span className="hint">{typeText(value)}</span>
              {!required.includes(name) && <span className="hint"> optional</span>}
            </dt>
            <dd>
              {value.description && <Prose text={value.description} />}
              {value.default !== undefined && (
                <p className="hint">Default: {JSON.stringify(value.default)}</p>
              )}
              <Objects description={description} schema={value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/**
 * Shows the object schemas within a schema. Each is rendered only when it is expanded, because schemas can be
 * recursive.
 */
function Objects({ description, schema }: SchemaProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  return objectsIn(schema).map((each, at) => (
    <details
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a schema have a fixed order
      key={at}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(new Set([...opened, at]));
      }}
    >
      <summary>{nameOf(each) || 'Fields'}</summary>
      {opened.has(at) && <Properties description={description} schema={each} />}
    </details>
  ));
}

/** Shows a schema: its type in one line, and its fields, which can be expanded level by level. */
export const SchemaView = (props: SchemaProps) => (
  <div className="schema">
    <p>
      <code>{typeText(props.schema)}</code>
    </p>
    <Objects {...props} />
  </div>
);
