import { send } from '../graphql/client.ts';
import { createDocument } from '../graphql/operations.ts';
import { text } from '../texts/text.ts';

/** The folder with the workspaces of a new server. */
export const workspaces = '/default-domain/workspaces';

/** The value of `dc:source` by which the sample workspace is found again. */
export const sampleSource = 'quire:sample';

export const createIn = async (parent: string, type: string, title: string, properties: object = {}) => {
  const document = { type, name: title, properties: { 'dc:title': title, ...properties } };
  return (await send(createDocument, { parent, document })).createDocument;
};

/** Creates a workspace with a few documents. */
export async function createSample(): Promise<string> {
  const source = { 'dc:source': sampleSource };
  const { path } = await createIn(workspaces, 'Workspace', text('setup.sample.title'), source);
  const folder = await createIn(path, 'Folder', text('setup.sample.folder'));
  const note = { 'note:mime_type': 'text/markdown', 'note:note': text('setup.sample.note') };
  await createIn(path, 'Note', text('setup.sample.noteTitle'), note);
  await createIn(folder.path, 'Note', text('setup.sample.second'), {
    'note:mime_type': 'text/markdown',
    'note:note': text('setup.sample.secondNote'),
  });
  return path;
}
