import { z } from 'zod';
import { call, input, queryArguments } from '../../selection/selection.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText, propertiesShape } from '../request/body.ts';
import { del, get, partArguments, post, put, type Route } from '../route.ts';

const fields = {
  'entity-type': entityTypeShape('directoryEntry'),
  directoryName: optionalText,
  id: z.union([z.string(), z.number().transform(String)], 'must be a string or a number').nullish(),
  properties: propertiesShape,
};

const toEntry = ({ directoryName, id, properties }: z.output<z.ZodObject<typeof fields>>) => ({
  directoryName,
  id,
  properties: properties ?? {},
});

const newEntry = bodyReader(objectShape('NewDirectoryEntry', fields), toEntry);

const changedEntry = bodyReader(objectShape('DirectoryEntryChange', fields), toEntry);

const inDirectory = { directory: input('address.directory') };
const entry = { ...inDirectory, id: input('address.entry') };
const written = { entry: input('body') };

/** The routes for directories (§4.5). */
export const directoryRoutes: readonly Route[] = [
  get(
    '/directory',
    (show) => ({
      directories: call({ ...queryArguments('types'), ...show.forms.directories }, show.directories),
    }),
    {
      name: 'getDirectories',
      summary: 'All directories',
    },
  ),
  get(
    '/directory/:directory',
    (show) => ({
      directory: call(
        { name: input('address.directory') },
        { page: call(partArguments, show.directoryEntries) },
      ),
    }),
    {
      name: 'getDirectoryEntries',
      summary: 'List the entries of a directory',
      absentStatus: 204,
      resultPath: ['directory', 'page'],
    },
  ),
  post(
    '/directory/:directory',
    newEntry,
    (show) => ({ createDirectoryEntry: call({ ...inDirectory, ...written }, show.directoryEntry) }),
    { name: 'createDirectoryEntry', summary: 'Create an entry' },
  ),
  get('/directory/:directory/*entry', (show) => ({ directoryEntry: call(entry, show.directoryEntry) }), {
    name: 'getDirectoryEntry',
    summary: 'An entry of a directory',
  }),
  put(
    '/directory/:directory/*entry',
    changedEntry,
    (show) => ({ updateDirectoryEntry: call({ ...entry, ...written }, show.directoryEntry) }),
    { name: 'updateDirectoryEntry', summary: 'Change an entry' },
  ),
  del('/directory/:directory/*entry', () => ({ deleteDirectoryEntry: call(entry) }), {
    name: 'deleteDirectoryEntry',
    summary: 'Delete an entry',
  }),
];
