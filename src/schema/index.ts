import '../graphql/page.ts';
import './acls/acl.ts';
import './acls/decided-permission.ts';
import './audit/inbox.ts';
import './audit/log-entry.ts';
import './authorities/authority.ts';
import './authorities/created-authorities.ts';
import './authorities/group.ts';
import './authorities/identity-provider.ts';
import './authorities/membership.ts';
import './authorities/notifications.ts';
import './authorities/preferences.ts';
import './authorities/provided-authorities.ts';
import './authorities/sign-in.ts';
import './authorities/user.ts';
import './automation/automation-listing.ts';
import './automation/automation.ts';
import './blobs/blob.ts';
import './blobs/document-blob.ts';
import './blobs/storage.ts';
import './bulk/bulk-command.ts';
import './collections/collection.ts';
import './comments/comment-changes.ts';
import './comments/document-comments.ts';
import './config/capabilities.ts';
import './config/config.ts';
import './config/converters.ts';
import './config/model-check.ts';
import './config/model-files.ts';
import './config/model-use.ts';
import './directories/directory-entry.ts';
import './directories/directory.ts';
import './documents/business-object-changes.ts';
import './documents/document-context.ts';
import './documents/document-events.ts';
import './documents/document.ts';
import './documents/documents-by-ids.ts';
import './documents/empty-document.ts';
import './documents/reference.ts';
import './executions/execution.ts';
import './mail/mail.ts';
import './probes/probe.ts';
import './queue/job-events.ts';
import './queue/job.ts';
import './renditions/conversion.ts';
import './renditions/rendition.ts';
import './search/aggregate.ts';
import './search/page-provider.ts';
import './search/saved-search.ts';
import './search/search.ts';
import './shares/share-link.ts';
import './shares/share.ts';
import './tags/tag.ts';
import './tokens/clients.ts';
import './tokens/credentials.ts';
import './tokens/grants.ts';
import './tokens/jwt.ts';
import './tokens/listings.ts';
import './tokens/login.ts';
import './tokens/oauth2.ts';
import './tokens/service-providers.ts';
import './tokens/second-factor.ts';
import './tokens/session.ts';
import './tokens/token.ts';
import './uploads/upload.ts';
import './versions/version.ts';
import './webhooks/webhook.ts';
import './workflows/provided-tasks.ts';
import './workflows/task-changes.ts';
import './workflows/task-events.ts';
import './workflows/task.ts';
import './workflows/workflow-graph.ts';
import './workflows/workflow.ts';
import { type GraphQLSchema, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { builder } from '../graphql/builder.ts';
import { absentIsNull, reloadAfterMutations } from '../graphql/wrap-resolvers.ts';
import { markDeprecated } from './mark-deprecated.ts';
import { ownDescriptions } from './own-descriptions.ts';
import { sharedDescriptions } from './shared-descriptions.ts';

/** Adds descriptions to types and fields that have none. */
function describeSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    type.description ||= ownDescriptions[type.name];
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields()))
      field.description ||= ownDescriptions[`${type.name}.${field.name}`] ?? sharedDescriptions[field.name];
  }
  return schema;
}

/** The GraphQL schema. Importing a module adds its types, queries and mutations to the builder. */
export const schema = markDeprecated(describeSchema(absentIsNull(reloadAfterMutations(builder.toSchema()))));
