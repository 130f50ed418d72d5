import { facetsOf } from '../../model/facets-of.ts';
import { asBlob, isFields } from '../../model/values/stored.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { Rendition } from './rendition.ts';

/**
 * The versions of a video in other formats that clients have stored in the document, under names chosen by the clients,
 * such as `MP4 480p`.
 */
export function transcodedVideoRenditions(
  { services: { model } }: Context,
  document: DocumentRow,
): Rendition[] {
  const videos = document.properties['vid:transcodedVideos'];
  if (!Array.isArray(videos) || !facetsOf(model, document).includes('Video')) return [];
  const named = new Map<string, Rendition>();
  for (const video of videos) {
    const [name, content] = isFields(video) ? [video.name, asBlob(video.content)] : [];
    if (typeof name !== 'string' || name === '' || !content || named.has(name)) continue;
    named.set(name, {
      name,
      kind: 'nuxeo:video:conversion',
      icon: 'video',
      isVisible: true,
      isOf: () => true,
      make: async () => content,
    });
  }
  return [...named.values()];
}
