/**
 * GraphiQL as a single page that makes no requests to other servers. The build replaces this module with a bundle,
 * because the product needs only half of the library (see "bundle" in package.json).
 */
export { renderGraphiQL } from '@graphql-yoga/render-graphiql';
