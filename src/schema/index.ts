import './acl.ts';
import './automation.ts';
import './automation-listing.ts';
import './authority.ts';
import './blob.ts';
import './collection.ts';
import './config.ts';
import './directory.ts';
import './directory-entry.ts';
import './document.ts';
import './document-blob.ts';
import './document-context.ts';
import './execution.ts';
import './group.ts';
import './jwt.ts';
import './log-entry.ts';
import './login.ts';
import './membership.ts';
import './oauth2.ts';
import './page.ts';
import './reference.ts';
import './search.ts';
import './token.ts';
import './user.ts';
import './version.ts';
import { builder } from './builder.ts';

/** The whole GraphQL schema; every noun's file adds its own types, queries and mutations. */
export const schema = builder.toSchema();
