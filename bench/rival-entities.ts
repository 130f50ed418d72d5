/** Builds the entities of the hand-written server from database rows. */

export type Entity = Record<string, unknown>;

/** A row with a document and the data joined to it. */
export interface Row {
  readonly body: Entity & { readonly properties: Entity };
  readonly acl: number;
  readonly ancestors: readonly string[];
  readonly is_acl_own: boolean;
  readonly aces: readonly Entity[];
  readonly tags: readonly string[];
  readonly favorite: boolean;
  readonly has: boolean;
}

/** The names of all permissions. An administrator has all of them. */
const permissions = JSON.parse(process.env.PERMISSIONS ?? '[]') as string[];

const enriched = {
  acls: ({ is_acl_own, aces }: Row): unknown => [{ name: is_acl_own ? 'local' : 'inherited', aces }],
  favorites: ({ favorite }: Row): unknown => favorite,
  hasContent: ({ has }: Row): unknown => has,
  permissions: (): unknown => permissions,
  tags: ({ tags }: Row): unknown => tags,
};

export function entityOf(row: Row, names: ReadonlyArray<keyof typeof enriched>): Entity {
  const contextParameters = Object.fromEntries(names.map((name) => [name, enriched[name](row)]));
  return { ...row.body, contextParameters };
}

type References = ReadonlyMap<unknown, Entity>;

const lastSegment = (value: string): string => value.slice(value.lastIndexOf('/') + 1);

/** Returns the short form of an entity, which appears inside other documents. */
const briefly = ({ properties: _, ...entity }: Entity): Entity => entity;

/** Replaces references to users and directory entries in the properties with the entities themselves (§4.6). */
export function fetched(body: Row['body'], byId: References, isInside = false): Entity {
  const { properties } = body;
  const entity = (id: unknown): unknown => {
    const found = byId.get(id);
    return found && isInside ? briefly(found) : (found ?? id);
  };
  const entry = (id: unknown): unknown => (typeof id === 'string' ? entity(lastSegment(id)) : id);
  const list = (key: string): unknown[] => (properties[key] as unknown[] | null) ?? [];
  return {
    ...body,
    properties: {
      ...properties,
      'dc:subjects': list('dc:subjects').map(entry),
      'dc:coverage': list('dc:coverage').map(entry),
      'dc:creator': entity(properties['dc:creator']),
      'dc:contributors': list('dc:contributors').map(entity),
      'dc:lastContributor': entity(properties['dc:lastContributor']),
      'dc:nature': entry(properties['dc:nature']),
      'nxtag:tags': (list('nxtag:tags') as Entity[]).map((tag) => ({
        ...tag,
        username: entity(tag.username),
      })),
    },
  };
}

interface Shape {
  /** Whether the documents in the breadcrumb have the same enrichers as the document itself. */
  readonly isDeep: boolean;
  readonly has: boolean;
  readonly references?: References;
  /** Breadcrumb documents that were already built for other entries of the page. */
  readonly shown?: Map<unknown, Entity>;
}

/** Builds a document with the requested enrichers and its breadcrumb. */
export function withEnrichers(
  row: Row,
  byId: ReadonlyMap<unknown, Row>,
  shape: Shape,
  isInside = false,
): Entity {
  const { isDeep, has, references, shown } = shape;
  const ancestors = row.ancestors.map((id) => byId.get(id)).filter((above) => above !== undefined);
  const entries = ancestors.map((above) => {
    if (isInside || !isDeep) return briefly(above.body);
    const known = shown?.get(above.body.uid);
    const entity = known ?? withEnrichers(above, byId, shape, true);
    shown?.set(above.body.uid, entity);
    return entity;
  });
  const own = has ? { hasContent: row.has } : { acls: enriched.acls(row) };
  const { favorite, tags } = row;
  const breadcrumb = { 'entity-type': 'documents', entries };
  const contextParameters = { ...own, breadcrumb, favorites: favorite, permissions, tags };
  return { ...(references ? fetched(row.body, references, isInside) : row.body), contextParameters };
}
