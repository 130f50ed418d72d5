import { Select, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { modeText } from './names.ts';

interface ShareFieldsProps {
  /** The label of the choice of modes. */
  readonly label: string;
  readonly modes: readonly string[];
  readonly mode: string;
  readonly onMode: (mode: string) => void;
  readonly end: string;
  readonly onEnd: (end: string) => void;
}

/** The fields for what a guest can do, and until when. */
export const ShareFields = ({ label, modes, mode, onMode, end, onEnd }: ShareFieldsProps) => (
  <>
    <Select
      label={label}
      value={mode}
      onChange={onMode}
      options={modes.map((id) => ({ id, label: modeText(id) }))}
    />
    <TextField
      label={text('links.end')}
      hint={text('links.endHint')}
      type="date"
      value={end}
      onChange={onEnd}
    />
  </>
);
