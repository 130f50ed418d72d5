import { normalizeLabel } from '../../model/tags.ts';
import { fieldOf } from '../../model/values/stored.ts';
import { type Compilation, listSql, namesIn, type Operand, propertyOfElement } from '../operand.ts';
import { QueryFault } from '../query-fault.ts';
import { elementOf } from './correlation.ts';

/** A subquery with the local ACEs of document `d` as JSON (§2.5). It is empty for callers who cannot read them. */
const acesSql = ({ mayReadAcl }: Compilation): string => `(
  SELECT a.ace || jsonb_build_object('name', l.acl -> 'name', 'pos', a.position - 1)
  FROM document_acl o CROSS JOIN jsonb_array_elements(o.acls) AS l (acl)
    CROSS JOIN jsonb_array_elements(l.acl -> 'aces') WITH ORDINALITY AS a (ace, position)
  WHERE o.repository = d.repository AND o.document_id = d.id AND ${mayReadAcl('d')}
)`;

const text = (name: string) => (ace: string) => `(${ace} ->> '${name}')`;

/** SQL of the status of an ACE: 0 if it is pending, 1 if it is effective, 2 if it is archived. */
const statusSql = (ace: string, { parameters, now }: Compilation): string => {
  const time = parameters.add(now, 'text');
  const isTrue = (test: string) => `coalesce(${test}, false)`;
  return `(CASE WHEN ${ace} ->> 'username' IS NULL THEN NULL
    WHEN ${isTrue(`${ace} ->> 'end' COLLATE "C" < ${time}`)} THEN 2
    WHEN ${isTrue(`${ace} ->> 'begin' COLLATE "C" > ${time}`)} THEN 0 ELSE 1 END)`;
};

type Field = Pick<Operand, 'kind'> & { readonly value: (ace: string, compilation: Compilation) => string };

const aceFields: Readonly<Record<string, Field>> = {
  principal: { kind: 'string', value: text('username') },
  permission: { kind: 'string', value: text('permission') },
  grant: { kind: 'boolean', value: (ace) => `(${ace} -> 'granted')::boolean` },
  name: { kind: 'string', value: text('name') },
  pos: { kind: 'number', value: (ace) => `(${ace} -> 'pos')::numeric` },
  creator: { kind: 'string', value: text('creator') },
  begin: { kind: 'date', value: text('begin') },
  end: { kind: 'date', value: text('end') },
  status: { kind: 'number', value: statusSql },
};

/** The operand of a field of an ACE. @throws QueryFault for an unknown field. */
function aceOperand(name: string, ace: string, compilation: Compilation): Operand {
  const field = fieldOf(aceFields, name);
  if (!field) throw new QueryFault(`unknown property: ecm:acl/*/${name}`);
  return { kind: field.kind, value: field.value(ace, compilation) };
}

const anyAce = 'ecm:acl/*/';

// The operand of `ecm:acl/*/FIELD`, whose values are those of all ACEs; undefined for other properties.
export function anyAceOperand(property: string, compilation: Compilation): Operand | undefined {
  if (!property.startsWith(anyAce)) return undefined;
  const operand = aceOperand(property.slice(anyAce.length), 'v.json', compilation);
  return { ...operand, from: `${acesSql(compilation)} AS v (json)` };
}

const tagsSql = `(
  SELECT to_jsonb(t.label) FROM document_tag t WHERE t.repository = d.repository AND t.document_id = d.id
)`;

/** The FROM item with the possible values of a numbered element. @throws QueryFault for an unknown list. */
export function elementsSql(element: string, compilation: Compilation): string {
  const list = element.slice(0, element.lastIndexOf('*') + 1);
  if (list === 'ecm:acl/*') return acesSql(compilation);
  return list === 'ecm:tag/*' ? tagsSql : listSql(list, compilation);
}

/** The operand of a numbered element; undefined for other properties. @throws QueryFault outside of conditions. */
export function elementOperand(
  property: string,
  compilation: Compilation,
): (Operand & { readonly normalize?: (text: string) => string }) | undefined {
  const found = elementOf(property);
  if (!found) return undefined;
  const alias = compilation.elements.get(found.element);
  if (alias === undefined) throw new QueryFault(`${property} can only be used in conditions`);
  const json = `${alias}.json`;
  if (found.element.startsWith('ecm:acl/')) return aceOperand(found.rest, json, compilation);
  if (found.element.startsWith('ecm:tag/') && found.rest === '')
    return { kind: 'string', value: `(${json} #>> '{}')`, normalize: normalizeLabel };
  const depth = namesIn(found.element).length;
  return propertyOfElement(property, { depth, json }, compilation);
}
