import { RotateCw } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { IconButton } from '../parts/button.tsx';
import { text } from '../texts/text.ts';
import { FullScreenButton, toggleFullScreen } from './full-screen.tsx';
import { ZoomButtons } from './zoom-buttons.tsx';

interface PictureProps {
  readonly src: string;
  readonly title: string;
  readonly onError: () => void;
}

/**
 * The factor of one zoom step, and the zoom limits relative to the size at which the picture fits into the window.
 */
const step = 1.4;
const minZoom = 1;
const maxZoom = 16;

const quarterTurn = 90;

/**
 * A picture that users can enlarge, rotate and, while it is larger than the window, move with the pointer.
 */
export function Picture({ src, title, onError }: PictureProps) {
  const [zoom, setZoom] = useState(minZoom);
  const [turn, setTurn] = useState(0);
  const zoomBy = (factor: number) => setZoom((now) => Math.min(maxZoom, Math.max(minZoom, now * factor)));
  const fitIn = () => setZoom(minZoom);
  const rotate = () => setTurn((now) => now + quarterTurn);
  const keys: Readonly<Record<string, () => unknown>> = {
    '+': () => zoomBy(step),
    '=': () => zoomBy(step),
    '-': () => zoomBy(1 / step),
    0: fitIn,
    r: rotate,
    f: toggleFullScreen,
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    keys[event.key]?.();
  };
  const drag = ({ movementX, movementY, buttons, currentTarget }: PointerEvent) => {
    if (buttons === 1) currentTarget.scrollBy(-movementX, -movementY);
  };
  return (
    <div className="picture">
      <section
        aria-label={text('document.picture', { title })}
        className={zoom > minZoom ? 'picture-stage movable' : 'picture-stage'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that keyboard users can scroll and zoom it
        tabIndex={0}
        onKeyDown={press}
        onPointerMove={drag}
        onDoubleClick={() => (zoom > minZoom ? fitIn() : zoomBy(step ** 3))}
      >
        <div className="picture-size" style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}>
          <img
            className="preview-image"
            src={src}
            alt={text('document.picture', { title })}
            draggable={false}
            style={{ rotate: `${turn}deg` }}
            onError={onError}
          />
        </div>
      </section>
      <div className="picture-tools" role="toolbar" aria-label={title}>
        <ZoomButtons
          zoom={zoom}
          step={step}
          limits={{ min: minZoom, max: maxZoom }}
          zoomBy={zoomBy}
          onFit={fitIn}
        />
        <IconButton label={text('picture.turn')} icon={RotateCw} onPress={rotate} />
        <FullScreenButton />
      </div>
    </div>
  );
}
