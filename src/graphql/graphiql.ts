/**
 * GraphiQL as a single page that sends no requests to other servers. The build replaces this module with a bundle,
 * because only half of the library is needed (see "bundle" in package.json).
 */
export { renderGraphiQL } from '@graphql-yoga/render-graphiql';
