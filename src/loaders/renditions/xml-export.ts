import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import { textBlob } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { renderDocumentProperties, schemasOf } from '../documents/rendered-properties.ts';
import { shownFacets } from '../documents/shown-fields.ts';
import type { Rendition } from './rendition.ts';

const namespace = (schema: string): string => `http://www.nuxeo.org/ecm/schemas/${schema}/`;

/**
 * Escapes a string so that every XML parser reads it unchanged. The library does not escape `&nbsp;`, which it treats
 * as an entity reference, nor a carriage return, which parsers read as a line feed. The library drops characters that
 * XML does not allow.
 */
const escapedText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('\r', '&#13;');

function addValue(parent: XMLBuilder, name: string, value: unknown): void {
  const element = parent.ele(name);
  if (Array.isArray(value)) for (const item of value) addValue(element, 'item', item);
  else if (typeof value === 'object' && value !== null)
    for (const [field, inner] of Object.entries(value)) addValue(element, field, inner);
  else if (value !== null && value !== undefined) element.txt(escapedText(String(value)));
}

/** Exports a document with all of its properties as XML, in the format of the reference implementation. */
export async function documentXml(context: Context, document: DocumentRow): Promise<string> {
  const { repository, id, type, path, state } = document;
  const properties = await renderDocumentProperties(document, {}, context);
  const { create } = await import('xmlbuilder2'); // loaded when first used, because it consists of 180 files
  const xml = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '' });
  const root = xml.ele('document', { repository, id });
  const system = root.ele('system');
  addValue(system, 'type', type);
  addValue(system, 'path', path.slice(1));
  addValue(system, 'lifecycle-state', state);
  for (const facet of shownFacets(document, context.services.model)) addValue(system, 'facet', facet);
  for (const { name, prefix, properties: of } of schemasOf(document, context)) {
    const schema = root.ele('schema', { name, [`xmlns:${prefix}`]: namespace(name) });
    for (const { name: field, xpath } of of.values())
      addValue(schema, `${prefix}:${field}`, properties[xpath]);
  }
  return xml.end({ prettyPrint: true });
}

export const xmlExportRendition: Rendition = {
  name: 'xmlExport',
  kind: '',
  icon: 'file',
  isVisible: true,
  isOf: () => true,
  make: async (context, document) =>
    textBlob(`${document.name || 'root'}.xml`, 'text/xml', await documentXml(context, document)),
};
