import { stockModel } from '../../src/model/contributed/contributed.ts';
import { createModel } from '../../src/model/create-model.ts';
import type { Property } from '../../src/model/model.ts';
import { permissions } from '../../src/security/permissions.ts';

export type Properties = Readonly<Record<string, unknown>>;

interface DocumentType {
  readonly icon?: string | undefined;
  readonly facets: readonly string[];
  readonly schemas: ReadonlyArray<{ readonly name: string; readonly prefix: string }>;
  /** The default values of unset properties, by xpath. */
  readonly properties: Properties;
}

export interface ContentModel {
  readonly types: Readonly<Record<string, DocumentType>>;
  /** The names of all permissions. The only user has all of them. */
  readonly permissions: readonly string[];
}

const unset = ({ many, type, fields }: Property): unknown => {
  if (many) return [];
  return type === 'complex'
    ? Object.fromEntries([...fields].map(([name, field]) => [name, unset(field)]))
    : null;
};

/** Extracts the parts of Quire's content model that affect responses. */
export function contentModel(): ContentModel {
  const { types } = createModel(stockModel);
  const described = [...types.values()].map(({ name, icon, facets, schemas }): [string, DocumentType] => {
    const properties = schemas.flatMap((schema) => [...schema.properties.values()]);
    return [
      name,
      {
        icon,
        facets,
        schemas: schemas.map((schema) => ({ name: schema.name, prefix: schema.prefix })),
        properties: Object.fromEntries(properties.map((property) => [property.xpath, unset(property)])),
      },
    ];
  });
  return { types: Object.fromEntries(described), permissions };
}
