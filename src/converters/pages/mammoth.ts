/**
 * Converts Word files to HTML. The build replaces this module with a bundle, so that an installed server needs none of
 * the library's packages (see "bundle" in package.json).
 */
export { default as mammoth } from 'mammoth';
