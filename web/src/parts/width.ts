import { type RefCallback, useEffect, useState } from 'react';

/** The width of an element in pixels, which is 0 until it is measured, and the `ref` of the element. */
export function useWidth(): readonly [number, RefCallback<HTMLElement>] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [width, setElement];
}
