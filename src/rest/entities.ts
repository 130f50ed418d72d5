import { acls } from './entities/acls.ts';
import { authorityEntities } from './entities/authorities.ts';
import { configEntities } from './entities/config.ts';
import { directoryEntities } from './entities/directories.ts';
import { documentEntities } from './entities/documents.ts';
import { tokenEntities } from './entities/tokens.ts';
import type { Shape } from './headers.ts';

/** What the answer to a shape is made of: each entity's selection under the request's headers. */
export const entitiesOf = (shape: Shape) => ({
  acls,
  ...configEntities(shape),
  ...tokenEntities,
  ...documentEntities(shape),
  ...directoryEntities(shape),
  ...authorityEntities(shape),
});

export type Entities = ReturnType<typeof entitiesOf>;
