import { Minus, Plus, Scan } from 'lucide-react';
import { IconButton } from '../parts/button.tsx';
import { text } from '../texts/text.ts';

interface ZoomButtonsProps {
  readonly zoom: number;
  /** The factor of one press. */
  readonly step: number;
  readonly limits: { readonly min: number; readonly max: number };
  readonly zoomBy: (factor: number) => void;
  readonly onFit: () => void;
}

export const ZoomButtons = ({ zoom, step, limits, zoomBy, onFit }: ZoomButtonsProps) => (
  <>
    <IconButton
      label={text('picture.zoomOut')}
      icon={Minus}
      onPress={() => zoomBy(1 / step)}
      isDisabled={zoom <= limits.min}
    />
    <IconButton
      label={text('picture.zoomIn')}
      icon={Plus}
      onPress={() => zoomBy(step)}
      isDisabled={zoom >= limits.max}
    />
    <IconButton label={text('picture.fit')} icon={Scan} onPress={onFit} />
  </>
);
