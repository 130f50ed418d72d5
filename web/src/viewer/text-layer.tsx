import type { CSSProperties } from 'react';
import type { FoundPart, Line, PageLayout } from './layout.ts';

/** The font size relative to the height of a line, which includes the ascent and descent of the font. */
const fontPerHeight = 0.82;

const measuredSize = 100; // in pixels

const measuring = document.createElement('canvas').getContext('2d');

/** The width of a text in the font of the text layer, relative to the font size. */
function widthOf(text: string): number {
  if (!measuring) return 0;
  measuring.font = `${measuredSize}px sans-serif`;
  return measuring.measureText(text).width / measuredSize;
}

/** Lays a line over the same line in the picture of the page. The unit cqw is a hundredth of the width of the page. */
function placeOf([left, top, width, height, text]: Line, page: PageLayout): CSSProperties {
  const isVertical = height > width && text.trim().length > 2;
  const [length, thickness] = isVertical ? [height, width] : [width, height];
  const fontSize = thickness * fontPerHeight;
  const natural = widthOf(text.trim()) * fontSize;
  return {
    left: `${((isVertical ? left + width : left) / page.width) * 100}%`,
    top: `${(top / page.height) * 100}%`,
    fontSize: `${(fontSize / page.width) * 100}cqw`,
    lineHeight: `${(thickness / page.width) * 100}cqw`,
    transform: `${isVertical ? 'rotate(90deg) ' : ''}scaleX(${natural > 0 ? length / natural : 1})`,
  };
}

interface MarkedLineProps {
  readonly text: string;
  /** The parts of the line to mark, in order. */
  readonly parts: ReadonlyArray<FoundPart & { readonly isCurrent: boolean }>;
}

function MarkedLine({ text, parts }: MarkedLineProps) {
  const ends = [0, ...parts.map(({ end }) => end)];
  return (
    <>
      {parts.map(({ start, end, isCurrent }, index) => (
        <span key={start}>
          {text.slice(ends[index], start)}
          <mark className={isCurrent ? 'current' : undefined}>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}

interface TextLayerProps {
  readonly page: PageLayout;
  readonly found: ReadonlyArray<FoundPart & { readonly isCurrent: boolean }>;
}

/** The text of a page as invisible lines over its picture, so that it can be selected, copied and read aloud. */
export const TextLayer = ({ page, found }: TextLayerProps) => (
  <div className="text-layer">
    {page.lines.map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity other than their position
      <span key={index} style={placeOf(line, page)}>
        <MarkedLine text={line[4].trim()} parts={found.filter((part) => part.line === index)} />{' '}
      </span>
    ))}
  </div>
);
