/**
 * Colors source code in common languages. The build replaces this module with a bundle, because only a small part of the
 * library is needed (see "bundle" in package.json).
 */
export { default as highlighter } from 'highlight.js/lib/common';
