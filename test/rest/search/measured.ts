import type { ModelDefinition } from '../../../src/model/definitions.ts';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';

/** A type with numbers and dates, and a page provider with every kind of aggregate over them. */
export const measuredModel: Partial<ModelDefinition> = {
  schemas: [
    {
      name: 'measured',
      prefix: 'm',
      fields: {
        size: 'long',
        weights: 'double[]',
        good: 'boolean',
        at: 'date',
        times: 'date[]',
        by: 'string[]',
      },
    },
  ],
  types: [
    { name: 'Measured', parent: 'File', schemas: ['measured'] },
    { name: 'Extreme', parent: 'File', schemas: ['measured'] },
  ],
  pageProviders: [
    {
      name: 'measures',
      query: 'SELECT * FROM Measured WHERE ecm:isTrashed = 0',
      predicates: [{ parameter: 'size', property: 'm:size', operator: '>=' }],
      aggregates: [
        { id: 'good', property: 'm:good', type: 'terms' },
        { id: 'by', property: 'm:by', type: 'terms', size: 2 },
        { id: 'type', property: 'ecm:primaryType', type: 'terms' },
        { id: 'tag', property: 'ecm:tag', type: 'terms' },
        {
          id: 'weight',
          property: 'm:weights',
          type: 'range',
          ranges: [
            { key: 'light', to: 1.5 },
            { key: 'middle', from: 1.5, to: 10 },
            { key: 'heavy', from: 10 },
            { key: 'any' },
          ],
        },
        { id: 'sizes', property: 'm:size', type: 'histogram', interval: 10 },
        { id: 'weights', property: 'm:weights', type: 'histogram', interval: 0.1 },
        {
          id: 'age',
          property: 'm:at',
          type: 'date_range',
          ranges: [
            { key: 'old', to: '2020-01-01' },
            { key: 'past', to: 'PT0S' },
            { key: 'future', from: 'PT0S' },
          ],
        },
        { id: 'years', property: 'm:times', type: 'date_histogram', interval: 'year' },
        { id: 'months', property: 'm:at', type: 'date_histogram', interval: 'month' },
        { id: 'days', property: 'm:at', type: 'date_histogram', interval: 'day' },
      ],
    },
    { name: 'uncounted', query: 'SELECT * FROM Measured', aggregates: [] },
    {
      name: 'extremes',
      query: 'SELECT * FROM Extreme',
      aggregates: [
        { id: 'description', property: 'dc:description', type: 'terms' },
        { id: 'elements', property: 'm:by', type: 'terms' },
        {
          id: 'each',
          property: 'file:content/length',
          type: 'range',
          ranges: Array.from({ length: 2_000 }, (_, size) => ({ key: `${size}`, from: size, to: size + 1 })),
        },
      ],
    },
  ],
};

const measured: ReadonlyArray<Record<string, unknown>> = [
  {
    'm:size': 5,
    'm:weights': [0.3, 1, 1.05, 20],
    'm:good': true,
    'm:at': '2019-12-31T23:59:59.999Z',
    'm:by': ['x', 'x', 'y'],
  },
  {
    'm:size': 15,
    'm:weights': [1.5],
    'm:good': false,
    'm:at': '2024-02-29',
    'm:times': ['2024-01-01', '2024-05-01', '9999-12-31'],
  },
  {
    'm:size': 15,
    'm:weights': [10],
    'm:at': '9999-12-31T12:00:00Z',
    'm:by': ['x', 'z'],
    'm:times': ['0000-01-01'],
  },
  {},
];

/** Creates measured and other documents, and a folder whose document only administrators can read. */
export async function createMeasured(
  server: TestServer,
): Promise<Record<'folder' | 'closed', DocumentEntity>> {
  const folder = await createDocument(server, { type: 'Folder' });
  for (const [index, properties] of measured.entries())
    await createDocument(server, { parent: folder.path, type: 'Measured', name: `m${index}`, properties });
  const closed = await createDocument(server, { type: 'Folder' });
  const hidden = {
    ...measured[0],
    'dc:nature': 'memo',
    'm:by': ['secret'],
    'm:size': 70,
    'dc:subjects': ['art'],
  };
  await createDocument(server, { parent: closed.path, type: 'Measured', name: 'hidden', properties: hidden });
  await setAcl(server, closed.path, only('Administrator', 'Everything'));
  for (const [name, properties] of Object.entries({
    one: { 'dc:nature': 'report', 'dc:subjects': ['art', 'art/cinema'], 'dc:coverage': 'europe/France' },
    two: { 'dc:nature': 'report', 'dc:subjects': ['art'] },
    three: { 'dc:nature': 'memo' },
  }))
    await createDocument(server, { parent: folder.path, name, properties });
  return { folder, closed };
}
