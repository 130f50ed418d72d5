import { acls } from './entities/acls.ts';
import { authorityEntities } from './entities/authorities.ts';
import { automationEntities } from './entities/automation.ts';
import { configEntities } from './entities/config.ts';
import { directoryEntities } from './entities/directories.ts';
import { documentEntities } from './entities/documents.ts';
import { logEntries, logEntry } from './entities/log-entries.ts';
import { tokenEntities } from './entities/tokens.ts';
import type { Shape } from './headers.ts';

/** What the answer to a shape is made of: each entity's selection under the request's headers. */
export function entitiesOf(shape: Shape) {
  const documents = documentEntities(shape);
  const authorities = authorityEntities(shape);
  return {
    acls,
    ...{ logEntry, logEntries },
    ...configEntities(shape),
    ...tokenEntities,
    ...documents,
    ...directoryEntities(shape),
    ...authorities,
    ...automationEntities({ ...documents, ...authorities }),
  };
}

export type Entities = ReturnType<typeof entitiesOf>;
