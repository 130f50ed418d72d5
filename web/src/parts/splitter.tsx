import { type KeyboardEvent, type PointerEvent, useState } from 'react';

interface SplitterProps {
  readonly label: string;
  /** The id of the element whose width the splitter changes. */
  readonly controls: string;
  /** The width in pixels. */
  readonly width: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (width: number) => void;
}

/** The number of pixels by which an arrow key moves a splitter. */
const step = 16;

/** A bar between two parts of a screen, which the pointer and the arrow keys move. */
export function Splitter({ label, controls, width, min, max, onChange }: SplitterProps) {
  const [start, setStart] = useState<number>();
  const change = (wanted: number) => onChange(Math.round(Math.min(max, Math.max(min, wanted))));
  const press = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: width - step,
      ArrowRight: width + step,
      Home: min,
      End: max,
    };
    const wanted = moves[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    change(wanted);
  };
  const grip = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setStart(event.clientX - width);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is not a thematic break
    <div
      className="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={grip}
      onPointerMove={({ clientX }) => start !== undefined && change(clientX - start)}
      onPointerUp={() => setStart(undefined)}
      onPointerCancel={() => setStart(undefined)}
    />
  );
}
