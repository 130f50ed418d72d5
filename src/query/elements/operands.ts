import { normalizeLabel } from '../../model/tags.ts';
import { fieldOf } from '../../model/values/stored.ts';
import { type Compilation, listSql, namesIn, type Operand, propertyOfElement } from '../operand.ts';
import { QueryFault } from '../query-fault.ts';
import { elementOf } from './correlation.ts';

/**
 * Returns a subquery for the local ACEs of document `d`, as JSON (§2.5). The result is empty if the caller cannot read
 * the ACEs.
 */
const acesSql = ({ mayReadAcl }: Compilation): string => `(
  SELECT a.ace || jsonb_build_object('name', l.acl -> 'name', 'pos', a.position - 1)
  FROM document_acl o CROSS JOIN jsonb_array_elements(o.acls) AS l (acl)
    CROSS JOIN jsonb_array_elements(l.acl -> 'aces') WITH ORDINALITY AS a (ace, position)
  WHERE o.repository = d.repository AND o.document_id = d.id AND ${mayReadAcl('d')}
)`;

const text = (name: string) => (ace: string) => `(${ace} ->> '${name}')`;

/** Returns the SQL expression for the status of an ACE: 0 for pending, 1 for effective, 2 for archived. */
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

/**
 * Returns the operand for a field of an ACE.
 * @throws QueryFault if the field is unknown
 */
function aceOperand(name: string, ace: string, compilation: Compilation): Operand {
  const field = fieldOf(aceFields, name);
  if (!field) throw new QueryFault(`unknown property: ecm:acl/*/${name}`);
  return { kind: field.kind, value: field.value(ace, compilation) };
}

const anyAce = 'ecm:acl/*/';

// Returns the operand of `ecm:acl/*/FIELD`, whose values are the values of the field in all ACEs. Returns undefined
// for other properties.
export function anyAceOperand(property: string, compilation: Compilation): Operand | undefined {
  if (!property.startsWith(anyAce)) return undefined;
  const operand = aceOperand(property.slice(anyAce.length), 'v.json', compilation);
  return { ...operand, from: `${acesSql(compilation)} AS v (json)` };
}

const tagsSql = `(
  SELECT to_jsonb(t.label) FROM document_tag t WHERE t.repository = d.repository AND t.document_id = d.id
)`;

/**
 * Returns the FROM item that yields one row for each possible value of a numbered element.
 * @throws QueryFault if the list is unknown
 */
export function elementsSql(element: string, compilation: Compilation): string {
  const list = element.slice(0, element.lastIndexOf('*') + 1);
  if (list === 'ecm:acl/*') return acesSql(compilation);
  return list === 'ecm:tag/*' ? tagsSql : listSql(list, compilation);
}

/**
 * Returns the operand of a numbered element; undefined for other properties.
 * @throws QueryFault if it is used outside of conditions
 */
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
