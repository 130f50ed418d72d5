// @ts-check
import { z } from 'zod';

/**
 * @import { ListResourcesResult } from '@modelcontextprotocol/sdk/types.js'
 * @import { ExtensionContext } from 'quire-server/extension'
 * @import { Outcome } from './server.js'
 */

const document = z
  .string()
  .min(1)
  .max(10_000)
  .describe('The id of a document, or its path, which begins with a slash.');
const limit = z.int().min(1).max(50).default(20).describe('The maximum number of documents.');
const offset = z.int().min(0).max(10_000).default(0).describe('The number of documents to skip.');

/** The arguments of the tools. */
export const shapes = {
  search: {
    words: z
      .string()
      .max(1_000)
      .optional()
      .describe(
        'Words that the documents contain. "In quotes": a phrase; -word: not this word; word*: a beginning.',
      ),
    folder: z.string().max(10_000).optional().describe('The path of a folder in which the documents are.'),
    type: z.string().max(100).optional().describe('The document type, such as Note or File.'),
    creator: z.string().max(100).optional().describe('The user who created the documents.'),
    modifiedSince: z.iso.date().optional().describe('The earliest day of the last change.'),
    limit,
    offset,
  },
  browse: { document: document.default('/'), limit, offset },
  read: {
    document,
    file: z
      .string()
      .max(1_000)
      .optional()
      .describe('The location of the file, such as files:files/0/file; the main file by default.'),
    start: z.int().min(0).default(0).describe('The number of characters to skip.'),
    length: z.int().min(0).max(50_000).default(20_000).describe('The maximum number of characters.'),
  },
  explainRight: {
    document,
    user: z
      .string()
      .max(100)
      .optional()
      .describe(
        'A user name; the signed-in user by default. For other users, you need the right ReadSecurity.',
      ),
    right: z
      .string()
      .max(100)
      .optional()
      .describe('A right, such as Read, Write or Remove; all rights by default.'),
  },
};

/** @typedef {{ uid: string, path: string, title: string, type: string, lastModified: string | null }} Found */

const found = 'uid path title type lastModified';
const addressed = 'query ($id: ID, $path: String';

/** @param {string} name */
const addressOf = (name) => (name.startsWith('/') ? { path: name } : { id: name });

/**
 * Throws unless there is a document.
 * @template T
 * @param {T | null} found
 * @param {string} name
 * @returns {T}
 */
function required(found, name) {
  if (found === null) throw new Error(`There is no document ${name}, or you cannot read it.`);
  return found;
}

/** @param {Found} document */
const shown = ({ uid, path, title, type, lastModified }) => ({ id: uid, path, title, type, lastModified });

/** The maximum number of characters of a property's value as JSON. */
const maxValue = 5_000;

/**
 * Leaves out properties without a value, and replaces long values by their length.
 * @param {Record<string, unknown>} properties
 */
const bounded = (properties) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        const { length } = JSON.stringify(value);
        return [name, length > maxValue ? `(a value of ${length} characters)` : value];
      }),
  );

/** @param {string} html */
const plain = (html) => html.replaceAll(/<\/?em>/g, '');

/**
 * @param {ExtensionContext} context
 * @param {{ words?: string, folder?: string, type?: string, creator?: string, modifiedSince?: string, limit: number, offset: number }} given
 * @returns {Promise<Outcome>}
 */
export async function search({ graphql }, { limit, offset, ...given }) {
  const conditions = [
    given.words && 'ecm:fulltext = :words',
    given.folder && 'ecm:path STARTSWITH :folder',
    given.type && 'ecm:primaryType = :type',
    given.creator && 'dc:creator = :creator',
    given.modifiedSince && 'dc:modified >= :modifiedSince',
  ].filter(Boolean);
  if (conditions.length === 0) throw new Error('At least one condition is required.');
  const query = `SELECT * FROM Document WHERE ecm:isTrashed = 0 AND ecm:isVersion = 0 AND ecm:isProxy = 0 AND ${conditions.join(' AND ')}${given.words ? '' : ' ORDER BY dc:modified DESC'}`;
  /** @type {{ search: { resultsCount: number, entries: (Found & { contextParameters: { highlight: { segments: string[] }[] | null } })[] } }} */
  const { search: page } = await graphql(
    `query ($query: String!, $parameters: JSON, $limit: Int, $offset: Int) {
      search(query: $query, parameters: $parameters, pageSize: $limit, offset: $offset, highlight: ["dc:title", "dc:description", "note:note", "file:content"]) {
        resultsCount entries { ${found} contextParameters { highlight { segments } } }
      }
    }`,
    { query, parameters: given, limit, offset },
  );
  const documents = page.entries.map(({ contextParameters, ...entry }) => ({
    ...shown(entry),
    excerpts: (contextParameters.highlight ?? []).flatMap(({ segments }) => segments.map(plain)).slice(0, 3),
  }));
  return { result: { total: page.resultsCount, documents } };
}

/**
 * @param {ExtensionContext} context
 * @param {{ document: string, limit: number, offset: number }} given
 * @returns {Promise<Outcome>}
 */
export async function browse({ graphql }, { document: name, limit, offset }) {
  /** @type {{ document: (Found & { contextParameters: { breadcrumb: { entries: Found[] } }, children: { resultsCount: number, entries: Found[] } }) | null }} */
  const { document: folder } = await graphql(
    `${addressed}, $limit: Int, $offset: Int) {
      document(id: $id, path: $path) {
        ${found} contextParameters { breadcrumb { entries { ${found} } } }
        children(pageSize: $limit, offset: $offset) { resultsCount entries { ${found} } }
      }
    }`,
    { ...addressOf(name), limit, offset },
  );
  const { children, contextParameters, ...own } = required(folder, name);
  const above = contextParameters.breadcrumb.entries.filter(({ uid }) => uid !== own.uid).map(shown);
  return {
    result: {
      document: shown(own),
      above,
      total: children.resultsCount,
      children: children.entries.map(shown),
    },
    document: own.uid,
  };
}

/**
 * @param {ExtensionContext} context
 * @param {{ document: string, file?: string, start?: number, length?: number }} given
 * @returns {Promise<Outcome>}
 */
export async function read({ graphql, readText }, { document: name, file, start = 0, length = 20_000 }) {
  /** @type {{ document: (Found & { properties: Record<string, unknown> }) | null }} */
  const { document: one } = await graphql(
    `${addressed}) { document(id: $id, path: $path) { ${found} properties } }`,
    addressOf(name),
  );
  const { properties, ...own } = required(one, name);
  // The text of a note is returned as the text of its file.
  const { 'note:note': _, ...others } = properties;
  const part = await readText(own.uid, { start, length, ...(file !== undefined && { xpath: file }) });
  const end = part && part.start + part.text.length;
  return {
    result: {
      document: shown(own),
      properties: bounded(others),
      file: part && {
        name: part.name,
        mimeType: part.mimeType,
        text: part.text,
        start: part.start,
        total: part.total,
        nextStart: end !== null && end < part.total ? end : null,
      },
    },
    document: own.uid,
  };
}

/**
 * @param {ExtensionContext} context
 * @param {{ document: string, user?: string, right?: string }} given
 * @returns {Promise<Outcome>}
 */
export async function explainRight({ graphql, user }, { document: name, user: other, right }) {
  /** @type {{ document: (Found & { decidedPermissions: { permission: string }[] | null }) | null }} */
  const { document: one } = await graphql(
    `${addressed}, $user: ID) {
      document(id: $id, path: $path) {
        ${found}
        decidedPermissions(user: $user) {
          permission granted reason ace { username permission granted creator begin end } place { path }
        }
      }
    }`,
    { ...addressOf(name), ...(other !== undefined && { user: other }) },
  );
  const { decidedPermissions, ...own } = required(one, name);
  if (!decidedPermissions) throw new Error(`You cannot see the rights of ${other} here.`);
  const rights = decidedPermissions.filter(({ permission }) => right === undefined || permission === right);
  if (rights.length === 0) throw new Error(`There is no right ${right}.`);
  return { result: { document: shown(own), user: other ?? user.id, rights }, document: own.uid };
}

/**
 * Lists the documents that were changed last.
 * @param {ExtensionContext} context
 * @returns {Promise<ListResourcesResult>}
 */
export async function listResources({ graphql }) {
  const query =
    "SELECT * FROM Document WHERE ecm:isTrashed = 0 AND ecm:isVersion = 0 AND ecm:mixinType <> 'HiddenInNavigation' AND ecm:mixinType <> 'Folderish' ORDER BY dc:modified DESC";
  /** @type {{ search: { entries: Found[] } }} */
  const { search: page } = await graphql(
    `query ($query: String!) { search(query: $query, pageSize: 50) { entries { ${found} } } }`,
    { query },
  );
  return {
    resources: page.entries.map(({ uid, path, title }) => ({
      uri: `quire://document/${uid}`,
      name: path,
      title,
      mimeType: 'application/json',
    })),
  };
}
