import { acls } from './entities/acls.ts';
import { authorityEntities } from './entities/authorities.ts';
import { automationEntities } from './entities/automation.ts';
import { configEntities } from './entities/config.ts';
import { directoryEntities } from './entities/directories.ts';
import { documentEntities } from './entities/documents.ts';
import { documentsOf, levelsOf } from './entities/levels.ts';
import { logEntries, logEntry } from './entities/log-entries.ts';
import { foundOf, pageProvider } from './entities/searches.ts';
import { tokenEntities } from './entities/tokens.ts';
import { uploadEntities } from './entities/uploads.ts';
import { workflowEntities } from './entities/workflows.ts';
import type { Shape } from './headers.ts';

/** What the answer to a shape is made of: each entity's selection under the request's headers. */
export function entitiesOf(shape: Shape) {
  const { document, listed, inside, directoryEntry, aggregations, ...levels } = levelsOf(shape);
  const documents = documentEntities(document, listed);
  const authorities = authorityEntities(levels);
  const documentList = documentsOf(listed);
  /** A page that a page provider lists. */
  const found = foundOf(documents.documents, aggregations);
  return {
    acls,
    ...{ logEntry, logEntries },
    ...configEntities(shape),
    ...tokenEntities,
    ...uploadEntities,
    ...documents,
    ...{ found, pageProvider },
    ...directoryEntities(directoryEntry),
    ...authorities,
    ...workflowEntities(levels),
    ...automationEntities({ ...documents, ...authorities, documentList, found, logEntries }),
    inside,
  };
}

export type Entities = ReturnType<typeof entitiesOf>;
