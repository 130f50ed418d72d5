import { choosePreference, usePreference } from '../app/preferences.ts';

/** The ways to display a list: as rows with one of three heights, or as a grid of pictures. */
export const viewModes = ['compact', 'rows', 'thumbnails', 'grid'] as const;

export type ViewMode = (typeof viewModes)[number];

/** The way in which the user shows lists. */
export function useViewMode(): ViewMode {
  const stored = usePreference('view');
  return viewModes.find((mode) => mode === stored) ?? 'rows';
}

export const chooseViewMode = (mode: ViewMode): void => choosePreference('view', mode);
