/**
 * GraphiQL as one page without requests to other servers. A build replaces this module by a copy that includes
 * the library, of which the installed product needs half (see "bundle" in package.json).
 */
export { renderGraphiQL } from '@graphql-yoga/render-graphiql';
