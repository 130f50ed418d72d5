import { Grid2x2, LayoutList, type LucideIcon, Rows3, Rows4 } from 'lucide-react';
import { ToggleButton, ToggleButtonGroup, Tooltip, TooltipTrigger } from 'react-aria-components';
import { text } from '../texts/text.ts';
import { chooseViewMode, useViewMode, type ViewMode, viewModes } from './view.ts';

const icons: Readonly<Record<ViewMode, LucideIcon>> = {
  compact: Rows4,
  rows: Rows3,
  thumbnails: LayoutList,
  grid: Grid2x2,
};

/** Buttons for choosing how lists are displayed. */
export function ViewChoice() {
  const mode = useViewMode();
  return (
    <ToggleButtonGroup
      aria-label={text('view')}
      className="view-choice"
      selectedKeys={[mode]}
      disallowEmptySelection
      onSelectionChange={([chosen]) => chooseViewMode(chosen as ViewMode)}
    >
      {viewModes.map((each) => {
        const Icon = icons[each];
        return (
          <TooltipTrigger key={each} delay={400}>
            <ToggleButton id={each} className="icon-button" aria-label={text(`view.${each}`)}>
              <Icon size={18} aria-hidden />
            </ToggleButton>
            <Tooltip className="tooltip" offset={6}>
              {text(`view.${each}`)}
            </Tooltip>
          </TooltipTrigger>
        );
      })}
    </ToggleButtonGroup>
  );
}
