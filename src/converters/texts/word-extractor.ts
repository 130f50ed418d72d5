/**
 * Reads Word 97 to 2003 documents. The build replaces this module with a bundle, so that an installed server needs none
 * of the library's packages (see "bundle" in package.json).
 */
export { default as WordExtractor } from 'word-extractor';
