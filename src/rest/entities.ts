import { contractForms } from '../selection/compatibility.ts';
import { aceSelection, aclsSelection } from './acls/entities.ts';
import { logEntriesSelection, logEntrySelection } from './audit/entities.ts';
import { authorityEntities } from './authorities/entities.ts';
import { automationEntities } from './automation/entities.ts';
import { bulkStatusesSelection, bulkStatusSelection } from './bulk/entities.ts';
import { commentEntities } from './comments/entities.ts';
import { configEntities } from './config/entities.ts';
import { directoryEntities } from './directories/entities.ts';
import { documentEntities } from './documents/entities.ts';
import { documentListSelection, levelsOf } from './documents/levels.ts';
import { mailsSelection } from './mail/entities.ts';
import { probesSelection } from './probes/entities.ts';
import { jobsSelection } from './queue/entities.ts';
import { renditionEntities } from './renditions/entities.ts';
import type { ResponseShape } from './request/headers.ts';
import {
  foundPageSelection,
  pageProviderSelection,
  pageProvidersSelection,
  savedSearchEntities,
} from './search/entities.ts';
import { shareEntities } from './shares/entities.ts';
import { tagEntities } from './tags/entities.ts';
import { tokenEntities } from './tokens/entities.ts';
import { uploadEntities } from './uploads/entities.ts';
import { webhookEntities } from './webhooks/entities.ts';
import { workflowEntities } from './workflows/entities.ts';

/**
 * Returns the selections of all entities for one response shape.
 * @param forms the forms of entities for existing clients or by the contract; by default, the forms that openapi.json
 * describes
 */
export function entitiesOf(shape: ResponseShape, forms = contractForms) {
  const { document, listedDocument, nested, directoryEntry, aggregations, ...levels } = levelsOf(
    shape,
    forms,
  );
  const documents = documentEntities(document, listedDocument, forms);
  const authorities = authorityEntities(levels);
  const documentList = documentListSelection(listedDocument);

  const found = foundPageSelection(documents.documents, aggregations);
  return {
    acls: aclsSelection,
    ace: aceSelection,
    bulkStatus: bulkStatusSelection,
    logEntry: logEntrySelection,
    logEntries: logEntriesSelection,
    mails: mailsSelection,
    jobs: jobsSelection,
    probes: probesSelection,
    bulkStatuses: bulkStatusesSelection,
    ...tagEntities,
    ...shareEntities,
    ...webhookEntities,
    ...configEntities(shape, forms),
    ...commentEntities(shape),
    ...tokenEntities,
    ...uploadEntities,
    ...documents,
    found,
    pageProvider: pageProviderSelection,
    pageProviders: pageProvidersSelection,
    ...savedSearchEntities,
    ...directoryEntities(directoryEntry),
    ...authorities,
    documentList,
    ...workflowEntities(levels),
    ...automationEntities({
      ...documents,
      ...authorities,
      documentList,
      found,
      logEntries: logEntriesSelection,
    }),
    ...renditionEntities,
    nested,
    forms,
  };
}

export type Entities = ReturnType<typeof entitiesOf>;
