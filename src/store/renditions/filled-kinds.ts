import type { FileFacts, Purpose } from '../../converters/converter.ts';
import { type PictureView, storyboardFrames } from '../../converters/converter.ts';
import { pictureTypes } from '../../converters/picture.ts';
import { pictureViews } from '../../converters/picture-views.ts';
import { audioTypes, videoTypes } from '../../converters/programs/media-files.ts';
import type { Program, Tools } from '../../converters/programs/programs.ts';
import { viewFileName } from '../../loaders/renditions/picture-views.ts';
import { typesWithFacet } from '../../model/facets-of.ts';
import type { Model } from '../../model/model.ts';
import type { StoredBlob, StoredProperties } from '../../model/values/stored.ts';

/** The result of converting a file, along with facts about the file. */
export interface MadeOfFile {
  readonly makes: Purpose;
  readonly blob: StoredBlob;
  readonly facts: FileFacts;
}

/**
 * A kind of document, such as a picture, in which the server fills in properties that it derives from the main file.
 */
export interface FilledKind {
  readonly facet: 'Picture' | 'Video' | 'Audio';
  readonly mimeTypes: readonly string[];
  readonly needs: readonly Program[];
  /** The properties to fill in. A document that has all of them does not need to be filled in. */
  readonly properties: readonly string[];
  /** The conversions of the file; the facts are taken from the first one. */
  readonly makes: readonly Purpose[];
  /** The xpath of the list to which an item is added for each conversion. */
  readonly items?: string;
  readonly factsOf: (facts: FileFacts) => StoredProperties;
  /**
   * The list item for a conversion.
   * @param name the name of the file
   * @returns undefined if the list has no item for this conversion
   */
  readonly itemOf?: (made: MadeOfFile, name: string) => { readonly content: StoredBlob } | undefined;
}

const words: Readonly<Record<PictureView, readonly [description: string, tag: string]>> = {
  Thumbnail: ['Thumbnail Size', 'thumbnail'],
  Small: ['Small Size', 'small'],
  Medium: ['Medium Size', 'medium'],
  FullHD: ['Full HD Size', 'fullHD'],
  OriginalJpeg: ['Original Size in JPEG', 'originalJpeg'],
};

const pictures: FilledKind = {
  facet: 'Picture',
  mimeTypes: pictureTypes,
  needs: [],
  properties: ['picture:info', 'picture:views'],
  makes: pictureViews,
  items: 'picture:views',
  factsOf: (facts) =>
    'picture' in facts
      ? {
          'picture:info': { ...facts.picture },
          ...Object.fromEntries(
            Object.entries(facts.metadata).map(([field, value]) => [`imd:${field}`, value]),
          ),
        }
      : {},
  itemOf: ({ makes, blob, facts }, name) => {
    if (!('view' in facts)) return undefined;
    const [title, { view }] = [makes as PictureView, facts];
    const [description, tag] = words[title];
    const filename = viewFileName(title, name, blob.mimeType);
    const { width, height } = view;
    const content = { ...blob, name: filename };
    return { title, description, tag, width, height, filename, content, info: { ...view } };
  },
};

const videos: FilledKind = {
  facet: 'Video',
  mimeTypes: videoTypes,
  needs: ['ffmpeg', 'ffprobe'],
  properties: ['vid:info'],
  makes: ['info', ...storyboardFrames],
  items: 'vid:storyboard',
  factsOf: (facts): StoredProperties => ('media' in facts ? { 'vid:info': infoOf(facts.media) } : {}),
  itemOf: ({ makes, blob, facts }, name) => {
    if (!('media' in facts) || facts.timecode === undefined) return undefined;
    const content = { ...blob, name: `${makes}_${name.replace(/\.[^.]{1,20}$/, '')}.jpg` };
    return { content, comment: null, timecode: facts.timecode };
  },
};

const infoOf = ({ streams, ...info }: Extract<FileFacts, { media: unknown }>['media']) => ({
  ...info,
  streams: streams.map((stream) => ({ ...stream })),
});

const audioFiles: FilledKind = {
  facet: 'Audio',
  mimeTypes: audioTypes,
  needs: ['ffprobe'],
  properties: ['aud:duration'],
  makes: ['info'],
  factsOf: (facts): StoredProperties => ('media' in facts ? { 'aud:duration': facts.media.duration } : {}),
};

/** All kinds of documents in which the server fills in properties. */
export const filledKinds: readonly FilledKind[] = [pictures, videos, audioFiles];

/** The kinds whose conversion programs are installed, as JSON for use in statements. */
export const filledKindsText = (
  model: Pick<Model, 'types'>,
  { paths }: Pick<Tools, 'paths'>,
  kinds = filledKinds,
): string =>
  JSON.stringify(
    kinds
      .filter(({ needs }) => needs.every((program) => paths[program] !== undefined))
      .map(({ facet, mimeTypes, properties, items = '' }) => {
        const types = typesWithFacet(model, facet);
        return { facet, types, mimeTypes, properties, items };
      }),
  );
