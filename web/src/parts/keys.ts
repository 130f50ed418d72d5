/** Whether a key is meant for the element that has the focus, such as an input or a row of a table. */
export const isForFocused = ({
  target,
  defaultPrevented,
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: KeyboardEvent): boolean =>
  defaultPrevented ||
  altKey ||
  ctrlKey ||
  metaKey ||
  shiftKey ||
  (target as Element).closest('input, textarea, select, [role]:not(main), video, audio, [tabindex="0"]') !==
    null;
