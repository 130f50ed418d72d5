import type { FieldDefinition, SchemaDefinition } from '../definitions.ts';

const pictureInfo: FieldDefinition = {
  type: 'complex',
  fields: { width: 'long', height: 'long', depth: 'long', format: 'string', colorSpace: 'string' },
};

const videoInfo: FieldDefinition = {
  type: 'complex',
  fields: {
    duration: 'double',
    width: 'long',
    height: 'long',
    format: 'string',
    frameRate: 'double',
    streams: {
      type: 'complex[]',
      fields: { type: 'string', codec: 'string', streamInfo: 'string', bitRate: 'double' },
    },
  },
};

/** Pictures, videos and sounds. */
export const mediaSchemas: readonly SchemaDefinition[] = [
  {
    name: 'picture',
    fields: {
      headline: 'string',
      subheadline: 'string',
      byline: 'string',
      dateline: 'string',
      credit: 'string',
      origin: 'string',
      source: 'string',
      genre: 'string',
      caption: 'string',
      slugline: 'string',
      typage: 'string',
      language: 'string',
      info: pictureInfo,
      views: {
        type: 'complex[]',
        fields: {
          title: 'string',
          description: 'string',
          tag: 'string',
          height: 'long',
          width: 'long',
          filename: 'string',
          content: 'blob',
          info: pictureInfo,
        },
      },
      cropCoords: { type: 'complex', fields: { x: 'long', y: 'long', w: 'long', h: 'long' } },
    },
  },
  {
    name: 'image_metadata',
    prefix: 'imd',
    fields: {
      image_description: 'string',
      user_comment: 'string',
      equipment: 'string',
      date_time_original: 'date',
      xresolution: 'long',
      yresolution: 'long',
      pixel_xdimension: 'long',
      pixel_ydimension: 'long',
      copyright: 'string',
      exposure_time: 'double',
      iso_speed_ratings: 'string',
      focal_length: 'double',
      color_space: 'string',
      white_balance: 'string',
      icc_profile: 'string',
      orientation: 'string',
      fnumber: 'double',
    },
  },
  {
    name: 'iptc',
    prefix: 'iptc',
    fields: {
      by_line: 'string',
      by_line_title: 'string',
      caption: 'string',
      category: 'string',
      city: 'string',
      copyright_notice: 'string',
      country_or_primary_location: 'string',
      credit: 'string',
      date_created: 'date',
      headline: 'string',
      keywords: 'string',
      language: 'string',
      object_name: 'string',
      original_transmission_ref: 'string',
      originating_program: 'string',
      province_or_state: 'string',
      record_version: 'string',
      release_date: 'date',
      release_time: 'string',
      source: 'string',
      special_instructions: 'string',
      supplemental_categories: 'string',
      time_created: 'string',
      urgency: 'string',
      writer: 'string',
    },
  },
  {
    name: 'video',
    prefix: 'vid',
    fields: {
      info: videoInfo,
      transcodedVideos: {
        type: 'complex[]',
        fields: { name: 'string', content: 'blob', info: videoInfo },
      },
      storyboard: {
        type: 'complex[]',
        fields: { content: 'blob', comment: 'string', timecode: 'double' },
      },
    },
  },
  { name: 'audio', prefix: 'aud', fields: { duration: 'double' } },
];
