import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import { Invalid } from '../errors.ts';
import { facetsOf, typesWith } from '../model/facets-of.ts';
import type { Model } from '../model/model.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { type DocumentRow, documentColumns } from './document-row.ts';
import { type DocumentPartRow, documentParts, eachWish, type Part } from './parts.ts';
import { isReadable, readableAcls, readableValues } from './readable.ts';

/** Which part of a list is wanted, in which order. */
export interface PageArguments {
  /** Entries per page; 0 is as many as there may be. */
  readonly pageSize: number;
  /** Entries before the first. */
  readonly offset: number;
  /** Entries beyond this are neither counted nor shown. */
  readonly maxResults: number | undefined;
  /** Property xpaths, the first being the most significant. */
  readonly sortBy: readonly string[];
  /** By position; what is not `asc` is descending. */
  readonly sortOrder: readonly string[];
  /** Whether what is hidden or trashed is there too. */
  readonly isUnfiltered?: boolean | undefined;
  /** Whether very many parents have shorter pages, so that what is found for all of them stays within bounds. */
  readonly isShared?: boolean | undefined;
}

/** Some children of one document, and how many there are in all. */
export type ChildrenPage = Part<DocumentRow>;

/** The most entries a page can have. */
export const maxPageSize = 1000;

/** Documents that pages share. */
const mostShared = 5000;

/** Properties kept in columns of their own; the others are looked up in the JSON by parameter. */
const columns: Record<string, string> = {
  'dc:title': 'd.title',
  'ecm:name': 'd.name',
  'ecm:path': 'd.path',
  'ecm:pos': 'd.position',
  'ecm:primaryType': 'd.type',
  'ecm:uuid': 'd.id',
  'ecm:currentLifeCycleState': 'd.state',
  'uid:major_version': 'd.major_version',
  'uid:minor_version': 'd.minor_version',
};

/** The ORDER BY of a page and the parameters it takes, numbered from `first`. */
function order(
  model: Model,
  { sortBy, sortOrder }: PageArguments,
  first: number,
): { sql: string; values: string[] } {
  const values: string[] = [];
  const keys = sortBy.map((xpath, index) => {
    const direction = sortOrder[index]?.toLowerCase() === 'asc' ? 'ASC' : 'DESC';
    const column = Object.hasOwn(columns, xpath) ? columns[xpath] : undefined;
    if (column) return `${column} ${direction}`;
    const property = model.property(xpath);
    if (!property || property.many || property.type === 'complex' || property.type === 'blob') {
      throw new Invalid(`sortBy: "${xpath}" is not a property that can be sorted by`);
    }
    values.push(xpath);
    const text = `d.properties ->> $${first + values.length - 1}::text`;
    return property.type === 'long' || property.type === 'double'
      ? `(${text})::numeric ${direction} NULLS LAST`
      : `${text} ${direction} NULLS LAST`;
  });
  if (keys.length === 0) keys.push('d.title ASC');
  return { sql: [...keys, 'd.id'].join(', '), values };
}

const all = 'd.repository = $1 AND d.parent_id = p.id AND NOT d.is_version';
/** The condition on documents `d` that people see in lists, where the hidden types are $3. */
export const visible = `NOT d.is_trashed
  AND d.type <> ALL($3::text[]) AND NOT 'HiddenInNavigation' = ANY(d.facets)`;
/** The same, of those in a folder `p`. */
export const usual = `${all} AND ${visible}`;
/** The types are not looked at, but every parameter must be there. */
const unfiltered = `${all} AND $3::text[] IS NOT NULL`;

/** How a statement is given the documents whose children are wanted, as $2. */
interface Parents {
  readonly name: string;
  readonly from: string;
  readonly among: string;
}

/** One is by far the most frequent case: its statement is planned once, where one for a list is planned for each list. */
const parents: Readonly<Record<'one' | 'many', Parents>> = {
  one: { name: 'of-one', from: '(SELECT $2::uuid AS id) p', among: '= $2::uuid' },
  many: { name: 'of-many', from: 'unnest($2::uuid[]) AS p (id)', among: '= ANY($2::uuid[])' },
};

/** What a caller sees of a list: administrators all, at no cost; others what they may read. */
interface View {
  readonly name: string;
  /** What stands before the statement. */
  readonly before: (parents: Parents) => string;
  readonly shown: string;
  /** The parameters it takes, from $7 on. */
  readonly values: readonly unknown[];
}

function viewOf({ user }: Scope, { now }: Access, { isUnfiltered }: PageArguments): View {
  const [shown, name] = isUnfiltered ? [unfiltered, 'all-children-pages'] : [usual, 'children-pages'];
  if (user.isAdministrator) return { name, before: () => '', shown, values: [] };
  return {
    name: `readable-${name}`,
    before: ({ among }) => `WITH ${readableAcls(`d.repository = $1 AND d.parent_id ${among}`, 7)}`,
    shown: `${shown} AND ${isReadable}`,
    values: readableValues(user, 'Read', now),
  };
}

/** The pages of any number of parents in one statement; an empty page is a row without a document. */
function pagesQuery(orderBy: string, isUsual: boolean, view: View, of: Parents): Query {
  return {
    name: isUsual ? `${view.name}-${of.name}` : '',
    text: `${view.before(of)}
      SELECT p.id AS "of", least(c.total, $6::int) AS total, row_to_json(d) AS row
      FROM ${of.from}
      CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM document d WHERE ${view.shown}) c
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, row_number() OVER (ORDER BY ${orderBy}) AS "at"
        FROM document d WHERE ${view.shown} ORDER BY ${orderBy} LIMIT $4::int OFFSET $5::int
      ) d ON true
      ORDER BY p.id, d."at"`,
  };
}

function find(scope: Scope, access: Access, page: PageArguments): DataLoader<string, ChildrenPage> {
  const { db, model, options } = scope;
  const view = viewOf(scope, access, page);
  const hidden = typesWith(model, 'HiddenInNavigation');
  const { sql, values } = order(model, page, 7 + view.values.length);
  const query = (of: Parents) => pagesQuery(sql, page.sortBy.length === 0, view, of);
  const most = page.maxResults ?? 2 ** 31 - 1;
  const size = page.pageSize === 0 ? maxPageSize : Math.min(page.pageSize, maxPageSize);
  const limit = Math.max(0, Math.min(size, most - page.offset));
  return documentParts((ids) => {
    const each = page.isShared ? Math.min(limit, Math.ceil(mostShared / ids.length)) : limit;
    const [of, wanted] = ids.length === 1 ? [parents.one, ids[0]] : [parents.many, ids];
    const fixed = [options.repository, wanted, hidden, each, page.offset, most];
    return db.query<DocumentPartRow>(query(of), [...fixed, ...view.values, ...values]);
  });
}

/** A document whose children are wanted. */
type Parent = Pick<DocumentRow, 'id' | 'type' | 'facets'>;

/** A page in the order in which its entries are wanted: by what users made of it, where a folder is for that. */
function sorted({ model }: Scope, parent: Parent, page: PageArguments): PageArguments {
  if (page.sortBy.length > 0 || !facetsOf(model, parent).includes('Orderable')) return page;
  return { ...page, sortBy: ['ecm:pos'], sortOrder: ['asc'] };
}

/** Pages of children that the caller may read, by parent: one loader for each way of paging. */
export function childrenPages(
  scope: Scope,
  access: Access,
): (parent: Parent, page: PageArguments) => Promise<ChildrenPage> {
  const load = eachWish((page: PageArguments) => find(scope, access, page));
  return (parent, wanted) => {
    const { pageSize, offset, maxResults, sortBy, sortOrder, isUnfiltered, isShared } = wanted;
    const page = { pageSize, offset, maxResults, sortBy, sortOrder, ...{ isUnfiltered, isShared } };
    return load(parent.id, sorted(scope, parent, page));
  };
}
