import type { PageProviderDefinition } from './page-provider-definitions.ts';
import { finding, highlight, notTrashed, ofMagnitude, searchPredicates } from './provider-parts.ts';

const pixels = [320, 640, 1280, 1920] as const;

/** §4.7: pictures, videos and audio. */
export const assetProviders: readonly PageProviderDefinition[] = [
  finding('assets_search', `ecm:mixinType IN ('Picture', 'Video', 'Audio') AND ${notTrashed}`, {
    pageSize: 20,
    highlight,
    predicates: searchPredicates,
    aggregates: [
      { id: 'system_primaryType_agg', property: 'ecm:primaryType', type: 'terms' },
      { id: 'system_mimetype_agg', property: 'file:content/mime-type', type: 'terms' },
      ofMagnitude('asset_width_agg', 'picture:info/width', pixels),
      ofMagnitude('asset_height_agg', 'picture:info/height', pixels),
      { id: 'color_profile_agg', property: 'picture:info/colorSpace', type: 'terms' },
      { id: 'color_depth_agg', property: 'picture:info/depth', type: 'terms' },
      {
        id: 'video_duration_agg',
        property: 'vid:info/duration',
        type: 'range',
        ranges: [
          { key: 'lessThan30s', to: 30 },
          { key: 'between30sAnd3m', from: 30, to: 180 },
          { key: 'between3mAnd10m', from: 180, to: 600 },
          { key: 'between10mAnd30m', from: 600, to: 1800 },
          { key: 'moreThan30m', from: 1800 },
        ],
      },
    ],
  }),
];
