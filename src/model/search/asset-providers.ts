import type { PageProviderDefinition } from './page-provider-definitions.ts';
import { finding, highlight, notTrashed, searchPredicates } from './provider-parts.ts';

/**
 * Returns the ranges between the given limits. Clients have labels for their keys, such as `to_30_s`,
 * `from_30_to_180_s` and `from_180_s`.
 */
const rangesOf = (unit: string, limits: readonly number[]) =>
  [undefined, ...limits].map((from, index) => {
    const to = limits[index];
    const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const parts = Object.entries(bounds).map(([name, limit]) => `${name}_${limit}`);
    return { key: [...parts, unit].join('_'), ...bounds };
  });

const pixels = rangesOf('px', [500, 1500, 2000]);

/** The page provider for images, videos and audio (§4.7). */
export const assetProviders: readonly PageProviderDefinition[] = [
  finding('assets_search', `ecm:mixinType IN ('Picture', 'Video', 'Audio') AND ${notTrashed}`, {
    pageSize: 20,
    highlight,
    predicates: searchPredicates,
    aggregates: [
      { id: 'system_primaryType_agg', property: 'ecm:primaryType', type: 'terms' },
      { id: 'system_mimetype_agg', property: 'file:content/mime-type', type: 'terms' },
      { id: 'asset_width_agg', property: 'picture:info/width', type: 'range', ranges: pixels },
      { id: 'asset_height_agg', property: 'picture:info/height', type: 'range', ranges: pixels },
      { id: 'color_profile_agg', property: 'picture:info/colorSpace', type: 'terms' },
      { id: 'color_depth_agg', property: 'picture:info/depth', type: 'terms' },
      {
        id: 'video_duration_agg',
        property: 'vid:info/duration',
        type: 'range',
        ranges: rangesOf('s', [30, 180, 600, 1800]),
      },
    ],
  }),
];
