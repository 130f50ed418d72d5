import { useState } from 'react';
import { ownAddress } from '../form/shown-value.tsx';
import type { RowFragment } from '../graphql/operations.ts';
import { DocumentIcon } from './icon.tsx';
import { hasPicture } from './kinds.ts';

interface ThumbnailProps {
  readonly row: RowFragment;
  /** The size of the icon that is shown if there is no picture. */
  readonly iconSize: number;
}

/** Shows a small picture of a document's content or, if there is none, the icon for its kind. */
export function Thumbnail({ row, iconSize }: ThumbnailProps) {
  const [failed, setFailed] = useState<string>();
  const { url } = row.contextParameters.thumbnail ?? {};
  if (!url || url === failed || !hasPicture(row))
    return (
      <span className="thumbnail">
        <DocumentIcon {...row} size={iconSize} />
      </span>
    );
  return (
    <span className="thumbnail">
      <img src={ownAddress(url)} alt="" loading="lazy" decoding="async" onError={() => setFailed(url)} />
    </span>
  );
}
